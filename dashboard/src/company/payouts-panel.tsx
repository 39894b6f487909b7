import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CompanyEarningsRow, DividendRow } from '../api/reads.gen.ts';
import { useRead } from '../api/use-read.ts';
import { formatDate } from '../format/day.ts';
import { formatPerShare } from '../format/money.ts';
import { addDays, newYorkDate } from '../format/time.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { AnsweredBy } from '../ui/controls/same-request.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { splitsOf } from './splits.ts';

/** Together fewer than the 400 days that one request may ask for. */
const DAYS = { back: 300, ahead: 90 };
const EVERY_MS = 60_000;

const COLUMNS: readonly Column<DividendRow>[] = [
  { name: 'Ex-date', render: ({ exDate }) => formatDate(exDate) },
  {
    name: 'Per share',
    isNumber: true,
    render: ({ amount, currency }) => formatPerShare(amount, currency),
  },
  { name: 'Kind', render: ({ type }) => type.replaceAll('-', ' ') },
  {
    name: 'Paid',
    render: ({ paymentDate }) => (paymentDate === null ? '–' : formatDate(paymentDate)),
  },
  {
    name: 'It is',
    render: ({ status }) => <Mark tone={status === 'declared' ? 'good' : 'plain'}>{status}</Mark>,
  },
];

/** Dividends of the last ten months and the next three, and splits between reports. */
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
  const splits = splitsOf(reports);
  return (
    <Panel title="Dividends and splits">
      <Stack gap="md">
        <Loaded query={dividends} height={80}>
          {(rows) => (
            <DataTable
              caption={`Dividends of ${symbol}`}
              columns={COLUMNS}
              rows={rows.toReversed()}
              keyOf={({ id }) => id}
              empty={
                <Text size="sm" c="dimmed">
                  No dividend from {formatDate(query.from)} to {formatDate(query.to)} is known.
                </Text>
              }
            />
          )}
        </Loaded>
        {splits.length > 0 && (
          <ul>
            {splits.map(({ factor, after, until }) => (
              <li key={after}>
                Between the reports of {formatDate(after)} and {formatDate(until)} one share became{' '}
                {factor}.
              </li>
            ))}
          </ul>
        )}
      </Stack>
      <AnsweredBy endpoint="calendar-dividends" query={query} />
    </Panel>
  );
}
