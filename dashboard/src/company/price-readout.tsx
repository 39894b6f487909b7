import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Bar } from '../api/calls.gen.ts';
import { formatDate } from '../format/day.ts';
import { formatPerShare } from '../format/money.ts';
import { formatQuarter } from '../format/session.ts';
import { Change } from '../ui/values/change.tsx';
import { SessionBadge } from '../ui/values/session-badge.tsx';
import styles from './price-chart.module.css';
import type { ReportMark } from './report-marks.ts';

/**
 * Shows the price on the active day, or the change over the whole range. For a report, also shows
 * the price move after it.
 */
export function PriceReadout(props: {
  bars: readonly Bar[];
  marks: readonly ReportMark[];
  active: number | null;
  currency: string;
}): ReactNode {
  const { bars, marks, active, currency } = props;
  const bar = bars[active ?? bars.length - 1];
  const base = active === null ? bars[0] : bars[active - 1];
  if (bar === undefined) return null;
  const mark = active === null ? undefined : marks.find(({ index }) => index === active);
  return (
    <Group gap="sm" className={styles['readout']} align="baseline">
      <Text span fz={22} fw={600} lts="-0.02em" className="figure">
        {formatPerShare(bar.close, currency)}
      </Text>
      {base !== undefined && <Change percent={(bar.close / base.close - 1) * 100} />}
      <Text span size="sm" c="dimmed">
        {active === null ? `since ${formatDate(bars[0]?.date ?? bar.date)}` : formatDate(bar.date)}
      </Text>
      {mark !== undefined && (
        <>
          <SessionBadge session={mark.report.time} />
          <Text span size="sm">
            {formatQuarter(mark.report)}
            {mark.firstMove !== null && (
              <>
                , first session after <Change percent={mark.firstMove} />
              </>
            )}
          </Text>
        </>
      )}
    </Group>
  );
}
