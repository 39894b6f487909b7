import { Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DividendRow } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDate } from '../format/day.ts';
import { formatPerShare } from '../format/money.ts';
import { formatDay } from '../format/time.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { SymbolLink } from '../ui/values/symbol-link.tsx';
import type { CalendarSearch, Week } from './calendar-search.ts';
import { matchesSearch } from './reports.ts';

const COLUMNS: readonly Column<DividendRow>[] = [
  { name: 'Ex-date', render: ({ exDate }) => formatDay(exDate), sortBy: ({ exDate }) => exDate },
  { name: 'Company', render: (row) => <Payer dividend={row} />, sortBy: ({ symbol }) => symbol },
  {
    name: 'Per share',
    isNumber: true,
    render: ({ amount, currency }) => formatPerShare(amount, currency),
    sortBy: ({ amount }) => amount,
  },
  {
    name: 'Yield',
    isNumber: true,
    render: (row) => (row.yield === null ? '–' : `${row.yield.toFixed(2)}%`),
    sortBy: (row) => row.yield,
  },
  { name: 'Type', render: kindOf, sortBy: kindOf },
  {
    name: 'Payment date',
    render: ({ paymentDate: date }) => (date === null ? '–' : formatDate(date)),
    sortBy: ({ paymentDate }) => paymentDate,
  },
  {
    name: 'Status',
    render: ({ status }) => (
      <StatusBadge tone={status === 'declared' ? 'good' : 'plain'}>{status}</StatusBadge>
    ),
    sortBy: ({ status }) => status,
  },
];

/** Lists the stocks that go ex-dividend in the given week. */
export function DividendList(props: { week: Week; search: CalendarSearch }): ReactNode {
  const { week, search } = props;
  const dividends = useRead('calendar-dividends', dividendsQuery(week, search), {
    everyMs: CALM_MS,
    keepsPrevious: true,
  });
  return (
    <Panel title="Ex-dates this week" isFlush>
      <Loaded query={dividends}>
        {(rows) => (
          <DataTable
            caption="Dividends by ex-date"
            columns={COLUMNS}
            rows={rows.filter((row) => matchesSearch(row, search.find))}
            keyOf={({ id }) => id}
            empty={
              <EmptyState icon={<IconCoins size={24} />} title="No ex-dates this week">
                Dividends appear here when they are declared or projected. There are none for this
                week, or none match the filters.
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function dividendsQuery(
  week: Week,
  { symbols }: CalendarSearch,
): { from: string; to: string; symbols?: string } {
  const { monday: from, sunday: to } = week;
  return { from, to, ...(symbols === undefined ? {} : { symbols }) };
}

function Payer({ dividend: { symbol, name } }: { dividend: DividendRow }): ReactNode {
  return (
    <>
      <SymbolLink symbol={symbol} />
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </>
  );
}

function kindOf({ type, frequency }: DividendRow): string {
  const kind = type.replaceAll('-', ' ');
  return frequency === null || frequency === 'none' ? kind : `${kind}, ${frequency}`;
}
