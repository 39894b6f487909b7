import { Anchor, Text } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IpoRow } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { formatCompact } from '../format/number.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import type { CalendarSearch } from './calendar-search.ts';
import { matchesSearch } from './reports.ts';

const DATE_WORDS: Readonly<Record<IpoRow['dateStatus'], string>> = {
  expected: 'expected',
  confirmed: 'confirmed',
  'week-of': 'that week',
  unknown: 'not set',
};

const COLUMNS: readonly Column<IpoRow>[] = [
  { name: 'Date', render: (row) => <Day offering={row} />, sortBy: ({ date }) => date },
  {
    name: 'Company',
    render: (row) => <Issuer offering={row} />,
    sortBy: ({ companyName }) => companyName,
  },
  {
    name: 'Exchange',
    render: ({ exchange }) => exchange ?? '–',
    sortBy: ({ exchange }) => exchange,
  },
  {
    name: 'Status',
    render: ({ status }) => (
      <StatusBadge tone={status === 'priced' ? 'good' : 'plain'}>{status}</StatusBadge>
    ),
    sortBy: ({ status }) => status,
  },
  { name: 'Price', isNumber: true, render: priceOf, sortBy: (row) => row.price ?? row.priceHigh },
  {
    name: 'Shares',
    isNumber: true,
    render: ({ shares }) => (shares === null ? '–' : formatCompact(shares)),
    sortBy: ({ shares }) => shares,
  },
  {
    name: 'Deal size',
    isNumber: true,
    render: ({ dealSize, currency }) => formatMoney(dealSize, currency),
    sortBy: ({ dealSize }) => dealSize,
  },
];

/** Lists IPOs from filing to the first day of trading. */
export function IpoList({ search }: { search: CalendarSearch }): ReactNode {
  const deals = useRead('calendar-ipo', symbolsQuery(search), { everyMs: CALM_MS });
  return (
    <Panel title="Upcoming offerings" isFlush>
      <Loaded query={deals}>
        {(rows) => (
          <DataTable
            caption="Upcoming offerings by date"
            columns={COLUMNS}
            rows={rows.filter(({ symbol, companyName: name }) =>
              matchesSearch({ symbol, name }, search.find),
            )}
            keyOf={({ id }) => id}
            empty={
              <EmptyState icon={<IconRocket size={24} />} title="No offerings">
                Offerings appear here from filing until they trade. There are none, or none match
                the filters.
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function symbolsQuery({ symbols }: CalendarSearch): { symbols?: string } {
  return symbols === undefined ? {} : { symbols };
}

function Day({ offering: { date, dateStatus } }: { offering: IpoRow }): ReactNode {
  return (
    <div style={{ whiteSpace: 'nowrap' }}>
      {date === null ? '–' : formatDate(date)}
      <Text size="xs" c="dimmed">
        {DATE_WORDS[dateStatus]}
      </Text>
    </div>
  );
}

function Issuer({ offering: { companyName, symbol, filingUrl } }: { offering: IpoRow }): ReactNode {
  return (
    <div style={{ minWidth: '9rem' }}>
      <Text size="sm" fw={550}>
        {companyName}
      </Text>
      <Text size="xs" c="dimmed">
        {symbol ?? 'No symbol yet'}
        {filingUrl?.startsWith('https://') === true && (
          <>
            {' · '}
            <Anchor href={filingUrl} rel="noreferrer" target="_blank" size="xs">
              filing
            </Anchor>
          </>
        )}
      </Text>
    </div>
  );
}

function priceOf({ price, priceLow, priceHigh, currency }: IpoRow): string {
  if (price !== null) return formatPerShare(price, currency);
  if (priceLow === null && priceHigh === null) return '–';
  const [low, high] = [formatPerShare(priceLow, currency), formatPerShare(priceHigh, currency)];
  return low === high ? low : `${low} to ${high}`;
}
