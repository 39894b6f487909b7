import { Box, Button, Center, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { CompanyEarningsRow } from '@afterbell/sdk';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { formatQuarter } from '../format/session.ts';
import { Change } from '../ui/values/change.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { DateStatus } from '../ui/values/date-status.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';

const SHOWN_MAX = 12;

/**
 * Lists all upcoming and past reports. The selected report's revisions are shown below the list.
 */
export function HistoryPanel(props: {
  symbol: string;
  reports: readonly CompanyEarningsRow[];
  selected: string | null;
  onChoose: (id: string) => void;
}): ReactNode {
  const { symbol, reports, selected, onChoose } = props;
  const [showsAll, setShowsAll] = useState(false);
  const visible = showsAll ? reports : reports.slice(0, SHOWN_MAX);
  return (
    <Panel title="Reports" isFlush>
      <DataTable
        caption={`Reports by ${symbol}, newest first`}
        columns={columnsFor(selected, onChoose)}
        rows={visible}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<IconHistory size={24} />} title="No reports yet">
            Reports appear here when a source publishes a date.
          </EmptyState>
        }
      />
      {visible.length < reports.length && (
        <Center py="sm">
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            Show {reports.length - visible.length} older reports
          </Button>
        </Center>
      )}
      <Box px="1.25rem" pb="sm">
        <ApiSource endpoint="earnings" query={{ symbol }} />
      </Box>
    </Panel>
  );
}

function columnsFor(
  selected: string | null,
  onChoose: (id: string) => void,
): readonly Column<CompanyEarningsRow>[] {
  return [
    { name: 'Quarter', render: (row) => <Quarter row={row} /> },
    { name: 'Date status', render: ({ dateStatus }) => <DateStatus status={dateStatus} /> },
    {
      name: 'EPS est.',
      isNumber: true,
      render: ({ epsEstimate, currency }) => formatPerShare(epsEstimate, currency),
    },
    {
      name: 'EPS',
      isNumber: true,
      render: ({ eps, currency }) => formatPerShare(eps, currency),
    },
    {
      name: 'EPS surprise',
      isNumber: true,
      render: ({ epsSurprisePercent }) => <Change percent={epsSurprisePercent} />,
    },
    {
      name: 'Revenue est.',
      isNumber: true,
      render: ({ revenueEstimate, currency }) => formatMoney(revenueEstimate, currency),
    },
    {
      name: 'Revenue',
      isNumber: true,
      render: ({ revenue, currency }) => formatMoney(revenue, currency),
    },
    {
      name: 'Revenue surprise',
      isNumber: true,
      render: ({ revenueSurprisePercent }) => <Change percent={revenueSurprisePercent} />,
    },
    {
      name: 'Revisions',
      render: (row) => (
        <Button
          variant={row.id === selected ? 'light' : 'subtle'}
          size="compact-xs"
          aria-pressed={row.id === selected}
          aria-label={`Show revisions for ${formatQuarter(row)}`}
          onClick={() => onChoose(row.id)}
        >
          Show
        </Button>
      ),
    },
  ];
}

function Quarter({ row }: { row: CompanyEarningsRow }): ReactNode {
  return (
    <>
      <b>{formatQuarter(row)}</b>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {formatDate(row.date)}
      </Text>
    </>
  );
}
