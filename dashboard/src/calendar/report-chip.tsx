import { Tooltip, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import type { EarningsRow } from '@afterbell/sdk';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { formatSignedPercent } from '../format/number.ts';
import { SESSION_WORDS } from '../format/session.ts';
import { Change } from '../ui/values/change.tsx';
import { DATE_STATUS } from '../ui/values/date-status.tsx';
import styles from './report-chip.module.css';
import { epsSurpriseOf } from './reports.ts';

const LARGE = 100e9;
const MIDDLE = 10e9;

/**
 * A chip for a company's report. Its size depends on the market cap and its border on the date
 * status. Memoized because a week has hundreds of chips, which don't change while the user types a
 * filter.
 */
export const ReportChip = memo(Chip);

function Chip({ report }: { report: EarningsRow }): ReactNode {
  const { symbol, name, dateStatus, epsEstimate, currency } = report;
  const size = sizeOf(report.marketCap);
  const surprise = epsSurpriseOf(report);
  return (
    <Tooltip label={<ChipTooltip report={report} />} multiline maw={280} openDelay={350}>
      <Link
        to="/symbols/$symbol"
        params={{ symbol }}
        className={styles['chip']}
        data-size={size}
        data-sure={dateStatus}
      >
        <span className={styles['symbol']}>{symbol}</span>
        {size === 'large' && <span className={styles['name']}>{name}</span>}
        <span className={styles['figure']}>
          {surprise !== null && (
            <Change percent={surprise} label="EPS surprise" isShort={size === 'small'} />
          )}
          {dateStatus !== 'reported' && size !== 'small' && epsEstimate !== null && (
            <>
              <VisuallyHidden>EPS estimate </VisuallyHidden>
              {formatPerShare(epsEstimate, currency)}
            </>
          )}
        </span>
        <VisuallyHidden>, {dateStatus}</VisuallyHidden>
      </Link>
    </Tooltip>
  );
}

function ChipTooltip({ report }: { report: EarningsRow }): ReactNode {
  const { currency, dateStatus, eps, epsEstimate, revenue, revenueEstimate } = report;
  const surprise = epsSurpriseOf(report);
  return (
    <>
      <b>{report.name ?? report.symbol}</b>
      <br />
      {dateStatus === 'reported' ? 'Reported' : 'Reports'} {SESSION_WORDS[report.time]}, market cap{' '}
      {formatMoney(report.marketCap, currency)}
      <br />
      {eps === null
        ? `EPS estimate ${formatPerShare(epsEstimate, currency)}, revenue ${formatMoney(revenueEstimate, currency)}`
        : `EPS ${formatPerShare(eps, currency)}, estimate ${formatPerShare(epsEstimate, currency)}${surprise === null ? '' : ` (${formatSignedPercent(surprise)})`}`}
      {revenue !== null && (
        <>
          <br />
          Revenue {formatMoney(revenue, currency)}, estimate{' '}
          {formatMoney(revenueEstimate, currency)}
        </>
      )}
      <br />
      {dateStatus}: {DATE_STATUS[dateStatus]}
      {report.projection !== null && (
        <>
          <br />
          80 %: {formatDate(report.projection.interval80.from)} to{' '}
          {formatDate(report.projection.interval80.to)}
        </>
      )}
    </>
  );
}

/**
 * Returns the chip size for a market cap. A company with an unknown market cap gets a small chip.
 */
function sizeOf(marketCap: number | null): 'large' | 'middle' | 'small' {
  if (marketCap === null || marketCap < MIDDLE) return 'small';
  return marketCap < LARGE ? 'middle' : 'large';
}
