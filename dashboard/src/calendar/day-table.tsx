import { Button, Center, Text } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { EarningsRow } from '@afterbell/sdk';
import { formatWholeDay } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { Change } from '../ui/values/change.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { DateStatus } from '../ui/values/date-status.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { SessionBadge } from '../ui/values/session-badge.tsx';
import { SymbolLink } from '../ui/values/symbol-link.tsx';
import { epsSurpriseOf, revenueSurpriseOf } from './reports.ts';

/** The number of rows rendered at first, because rendering more would slow down the page. */
const SHOWN_MAX = 400;

const COLUMNS: readonly Column<EarningsRow>[] = [
  { name: 'Company', render: (row) => <Company report={row} />, sortBy: ({ symbol }) => symbol },
  {
    name: 'Market cap',
    isNumber: true,
    render: ({ marketCap, currency }) => formatMoney(marketCap, currency),
    sortBy: ({ marketCap }) => marketCap,
  },
  {
    name: 'Session',
    render: ({ time }) => <SessionBadge session={time} />,
    sortBy: ({ time }) => time,
  },
  {
    name: 'Date status',
    render: ({ dateStatus }) => <DateStatus status={dateStatus} />,
    sortBy: ({ dateStatus }) => dateStatus,
  },
  {
    name: 'EPS est.',
    isNumber: true,
    render: ({ epsEstimate, currency }) => formatPerShare(epsEstimate, currency),
    sortBy: ({ epsEstimate }) => epsEstimate,
  },
  {
    name: 'EPS',
    isNumber: true,
    render: ({ eps, currency }) => formatPerShare(eps, currency),
    sortBy: ({ eps }) => eps,
  },
  {
    name: 'EPS surprise',
    isNumber: true,
    render: (row) => <Change percent={epsSurpriseOf(row)} />,
    sortBy: epsSurpriseOf,
  },
  {
    name: 'Revenue est.',
    isNumber: true,
    render: ({ revenueEstimate, currency }) => formatMoney(revenueEstimate, currency),
    sortBy: ({ revenueEstimate }) => revenueEstimate,
  },
  {
    name: 'Revenue',
    isNumber: true,
    render: ({ revenue, currency }) => formatMoney(revenue, currency),
    sortBy: ({ revenue }) => revenue,
  },
  {
    name: 'Revenue surprise',
    isNumber: true,
    render: (row) => <Change percent={revenueSurpriseOf(row)} />,
    sortBy: revenueSurpriseOf,
  },
];

/** Lists the reports for a day, sorted by market cap until the user sorts by a column. */
export function DayTable(props: { reports: readonly EarningsRow[]; day: string }): ReactNode {
  const { reports, day } = props;
  const [showsAll, setShowsAll] = useState(false);
  const bySize = reports.toSorted((a, b) => (b.marketCap ?? -1) - (a.marketCap ?? -1));
  const visible = showsAll ? bySize : bySize.slice(0, SHOWN_MAX);
  return (
    <>
      <DataTable
        caption={`Reports on ${formatWholeDay(day)}`}
        columns={COLUMNS}
        rows={visible}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<IconCalendarOff size={24} />} title="No matching reports">
            No report on this day matches the filters.
          </EmptyState>
        }
      />
      {visible.length < bySize.length && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            Show {bySize.length - visible.length} smaller companies
          </Button>
        </Center>
      )}
    </>
  );
}

function Company({ report: { symbol, name } }: { report: EarningsRow }): ReactNode {
  return (
    <>
      <SymbolLink symbol={symbol} />
      <Text size="xs" c="dimmed" truncate maw={200}>
        {name}
      </Text>
    </>
  );
}
