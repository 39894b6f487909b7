import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { callUrl } from '../api/call.ts';
import type { Key, Usage } from '../api/calls.gen.ts';
import { stepsBetween, type Step } from '../format/new-york.ts';
import { formatCount } from '../format/number.ts';
import { useCustomerId } from '../session/customer.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { seriesOf, type SeriesTable, type Slot, sumOf } from './series.ts';
import { UsageChart } from './usage-chart.tsx';
import type { UsageSelection } from './usage-search.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { stepLabel } from './step-label.ts';

/** Shows requests over time as a chart or table. */
export function UsageView(props: {
  usage: Usage;
  selection: UsageSelection;
  keys: readonly Key[];
}): ReactNode {
  const { usage, selection, keys } = props;
  const { step, from, to, split, query } = selection;
  const [isTable, setIsTable] = useState(false);
  const customerId = useCustomerId();
  const { rows } = usage;
  // Memoized because rendering hundreds of bars is slow.
  const table = useMemo(
    () => seriesOf(rows, stepsBetween(from, to, step), (name) => nameOf(name, { split }, keys)),
    [rows, from, to, step, split, keys],
  );
  const chart = useMemo(() => <UsageChart table={table} step={step} />, [table, step]);
  const csv = callUrl('usage-read', { query: { ...query, format: 'csv' } }, customerId);
  return (
    <Panel
      title={`${formatCount(table.total)} requests`}
      isFlush={isTable}
      aside={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={
              isTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />
            }
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
          <Button
            component="a"
            href={csv}
            download="usage.csv"
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            CSV
          </Button>
        </Group>
      }
    >
      {table.total === 0 ? <NoUsage /> : isTable ? <UsageTable table={table} step={step} /> : chart}
      {!isTable && table.total > 0 && (
        <Text size="xs" c="dimmed">
          {step === 'day' ? 'Days in New York time' : 'Times in New York time'}
        </Text>
      )}
    </Panel>
  );
}

function NoUsage(): ReactNode {
  return (
    <EmptyState icon={<IconChartBar size={24} />} title="No requests in this period">
      Requests appear here within a second. See the{' '}
      <Anchor href="/docs" size="sm">
        documentation
      </Anchor>{' '}
      for an example.
    </EmptyState>
  );
}

/** Returns the display name of a group. */
export function nameOf(
  name: string,
  { split }: Pick<UsageSelection, 'split'>,
  keys: readonly Key[],
): string {
  if (split === 'none') return 'Requests';
  if (split !== 'key') return name;
  const key = keys.find(({ id }) => id === name);
  if (key === undefined) return `Deleted key …${name.slice(-6)}`;
  return key.name === '' ? `…${key.last4}` : key.name;
}

/** Shows the chart's data as a table, latest first, without empty rows. */
function UsageTable({ table, step }: { table: SeriesTable; step: Step }): ReactNode {
  const rows = table.slots.filter((slot) => sumOf(slot, table) > 0).toReversed();
  const columns: Column<Slot>[] = [
    {
      name: step === 'hour' ? 'Hour (New York)' : 'Day (New York)',
      render: ({ at }) => stepLabel(at, step),
    },
    ...(table.series.length > 1
      ? table.series.map((series): Column<Slot> => ({
          name: series.label,
          isNumber: true,
          render: (slot) => formatCount(slot[series.id as `s${number}`] ?? 0),
        }))
      : []),
    { name: 'Requests', isNumber: true, render: (slot) => formatCount(sumOf(slot, table)) },
  ];
  return (
    <DataTable
      caption="Requests over time"
      columns={columns}
      rows={rows}
      keyOf={({ at }) => String(at)}
    />
  );
}
