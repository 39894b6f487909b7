import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CompanyEarningsRow, DividendRow } from '@afterbell/sdk';
import { useRead } from '../api/use-read.ts';
import { formatDate } from '../format/day.ts';
import { formatPerShare } from '../format/money.ts';
import { addDays, newYorkDate } from '../format/time.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { useNow } from '../ui/values/use-now.ts';

/**
 * The number of days before and after today. The sum must stay below the API's limit of 400 days
 * per request.
 */
const DAYS = { back: 300, ahead: 90 };
const EVERY_MS = 60_000;

const COLUMNS: readonly Column<DividendRow>[] = [
  { name: 'Ex-date', render: ({ exDate }) => formatDate(exDate) },
  {
    name: 'Per share',
    isNumber: true,
    render: ({ amount, currency }) => formatPerShare(amount, currency),
  },
  { name: 'Type', render: ({ type }) => type.replaceAll('-', ' ') },
  {
    name: 'Payment date',
    render: ({ paymentDate }) => (paymentDate === null ? '–' : formatDate(paymentDate)),
  },
  {
    name: 'Status',
    render: ({ status }) => (
      <StatusBadge tone={status === 'declared' ? 'good' : 'plain'}>{status}</StatusBadge>
    ),
  },
];

/** Lists dividends from about ten months ago to three months ahead, and splits between reports. */
export function PayoutsPanel(props: {
  symbol: string;
  reports: readonly CompanyEarningsRow[];
}): ReactNode {
  const { symbol, reports } = props;
  const today = newYorkDate(new Date(useNow()));
  const query = {
    symbols: symbol,
    from: addDays(today, -DAYS.back),
    to: addDays(today, DAYS.ahead),
  };
  const dividends = useRead('calendar-dividends', query, { everyMs: EVERY_MS });
  const splits = findSplits(reports);
  return (
    <Panel title="Dividends and splits">
      <Stack gap="md">
        <Loaded query={dividends} height={80}>
          {(rows) => (
            <DataTable
              caption={`Dividends by ${symbol}`}
              columns={COLUMNS}
              rows={rows.toReversed()}
              keyOf={({ id }) => id}
              empty={
                <Text size="sm" c="dimmed">
                  No dividends between {formatDate(query.from)} and {formatDate(query.to)}.
                </Text>
              }
            />
          )}
        </Loaded>
        {splits.length > 0 && (
          <ul>
            {splits.map(({ factor, after, until }) => (
              <li key={after}>
                {factor}-for-1 split between the reports on {formatDate(after)} and{' '}
                {formatDate(until)}
              </li>
            ))}
          </ul>
        )}
      </Stack>
      <ApiSource endpoint="calendar-dividends" query={query} />
    </Panel>
  );
}

interface Split {
  /** The number of new shares per old share. */
  factor: number;
  /** The date of the last report before the split. */
  after: string;
  /** The date of the first report after the split. */
  until: string;
}

const DIGITS = 6;

/**
 * Finds splits by comparing the reports' cumulative split factors. Returns the newest split first.
 */
function findSplits(reports: readonly CompanyEarningsRow[]): Split[] {
  return reports.flatMap((report, index) => {
    const older = reports[index + 1];
    if (older === undefined || older.splitFactor === report.splitFactor) return [];
    const factor = Number((older.splitFactor / report.splitFactor).toPrecision(DIGITS));
    return [{ factor, after: older.date, until: report.date }];
  });
}
