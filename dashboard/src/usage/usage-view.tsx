import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { addressOf } from '../api/call.ts';
import type { Key, Usage } from '../api/calls.gen.ts';
import { stepsBetween } from '../format/new-york.ts';
import { formatCount } from '../format/number.ts';
import { useCustomerId } from '../session/customer.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { seriesOf } from './series.ts';
import { UsageChart } from './usage-chart.tsx';
import type { UsageQuestion } from './usage-search.ts';
import { UsageTable } from './usage-table.tsx';

/** Requests over the time asked for, as a chart or as its table. */
export function UsageView(props: {
  usage: Usage;
  question: UsageQuestion;
  keys: readonly Key[];
}): ReactNode {
  const { usage, question, keys } = props;
  const { by, from, to, split, query } = question;
  const [isTable, setIsTable] = useState(false);
  const customerId = useCustomerId();
  const { rows } = usage;
  // Drawn anew only when there is something new: hundreds of bars take a while.
  const table = useMemo(
    () => seriesOf(rows, stepsBetween(from, to, by), (name) => nameOf(name, { split }, keys)),
    [rows, from, to, by, split, keys],
  );
  const chart = useMemo(() => <UsageChart table={table} by={by} />, [table, by]);
  const csv = addressOf('usage-read', { query: { ...query, format: 'csv' } }, customerId);
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
            {isTable ? 'As a chart' : 'As a table'}
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
      {table.total === 0 ? (
        <EmptyState icon={<IconChartBar size={24} />} title="No request in this time">
          Every request with a key is counted here within a second. The{' '}
          <Anchor href="/docs" size="sm">
            documentation
          </Anchor>{' '}
          has one to try.
        </EmptyState>
      ) : isTable ? (
        <UsageTable table={table} by={by} />
      ) : (
        chart
      )}
      {!isTable && table.total > 0 && (
        <Text size="xs" c="dimmed">
          {by === 'day' ? 'Days are those of New York.' : 'Times are those of New York.'}
        </Text>
      )}
    </Panel>
  );
}

/** What a row is divided by, as people know it. */
export function nameOf(
  name: string,
  { split }: Pick<UsageQuestion, 'split'>,
  keys: readonly Key[],
): string {
  if (split === 'none') return 'Requests';
  if (split !== 'key') return name;
  const key = keys.find(({ id }) => id === name);
  if (key === undefined) return `key ${name.slice(-6)}, gone`;
  return key.name === '' ? `…${key.last4}` : key.name;
}
