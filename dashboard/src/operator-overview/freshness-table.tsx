import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DatasetFreshness } from '../api/use-service-status.ts';
import { formatSpan } from '../format/span.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';

const FRESHNESS_TONES: Readonly<Record<DatasetFreshness['state'], Tone>> = {
  fresh: 'good',
  late: 'warn',
  failing: 'bad',
  empty: 'plain',
  idle: 'plain',
  replayed: 'plain',
};

/** Lists each dataset with its state and its age compared with the target. */
export function FreshnessTable({ datasets }: { datasets: readonly DatasetFreshness[] }): ReactNode {
  return (
    <DataTable
      caption="Dataset freshness"
      rows={datasets}
      keyOf={({ dataset }) => dataset}
      empty={
        <Text size="sm" c="dimmed" p="lg">
          No dataset has data yet.
        </Text>
      }
      columns={[
        { name: 'Dataset', render: ({ dataset }) => dataset },
        {
          name: 'Status',
          render: ({ state }) => <StatusBadge tone={FRESHNESS_TONES[state]}>{state}</StatusBadge>,
        },
        { name: 'Age', render: (row) => <Age freshness={row} /> },
      ]}
    />
  );
}

function Age({
  freshness: { ageSeconds, targetSeconds, state },
}: {
  freshness: DatasetFreshness;
}): ReactNode {
  if (ageSeconds === null) return '–';
  const age = formatSpan(ageSeconds);
  if (targetSeconds === null) return age;
  return (
    <Stack gap={3} w={130}>
      <Text size="xs">
        {age} / {formatSpan(targetSeconds)}
      </Text>
      <Progress
        size={4}
        value={Math.min(100, (100 * ageSeconds) / targetSeconds)}
        color={state === 'fresh' ? 'var(--chart-1)' : 'var(--chart-4)'}
        aria-label={`${age} old, target ${formatSpan(targetSeconds)}`}
      />
    </Stack>
  );
}
