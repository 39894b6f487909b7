import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DatasetFreshness } from '../api/use-service-status.ts';
import { formatSpan } from '../format/span.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Mark, type Tone } from '../ui/values/mark.tsx';

const FRESHNESS_TONES: Readonly<Record<DatasetFreshness['state'], Tone>> = {
  fresh: 'good',
  late: 'warn',
  failing: 'bad',
  empty: 'plain',
  idle: 'plain',
};

/** A line a data set: how it stands, and how old against how old it may be. */
export function FreshnessTable({ datasets }: { datasets: readonly DatasetFreshness[] }): ReactNode {
  return (
    <DataTable
      caption="Freshness of the data sets"
      rows={datasets}
      keyOf={({ dataset }) => dataset}
      empty={
        <Text size="sm" c="dimmed" p="lg">
          No data set has reported yet.
        </Text>
      }
      columns={[
        { name: 'Data set', render: ({ dataset }) => dataset },
        {
          name: 'State',
          render: ({ state }) => <Mark tone={FRESHNESS_TONES[state]}>{state}</Mark>,
        },
        { name: 'Age', render: (row) => <Age of={row} /> },
      ]}
    />
  );
}

function Age({ of: { ageSeconds, targetSeconds, state } }: { of: DatasetFreshness }): ReactNode {
  if (ageSeconds === null) return '–';
  const says = formatSpan(ageSeconds);
  if (targetSeconds === null) return says;
  return (
    <Stack gap={3} w={130}>
      <Text size="xs">
        {says} of {formatSpan(targetSeconds)}
      </Text>
      <Progress
        size={4}
        value={Math.min(100, (100 * ageSeconds) / targetSeconds)}
        color={state === 'fresh' ? 'var(--chart-1)' : 'var(--chart-4)'}
        aria-label={`${says} old, may be ${formatSpan(targetSeconds)}`}
      />
    </Stack>
  );
}
