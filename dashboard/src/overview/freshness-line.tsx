import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type DatasetFreshness, useServiceStatus } from '../api/use-service-status.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** A one-line summary of the data freshness. */
export function FreshnessLine(): ReactNode {
  const { data } = useServiceStatus();
  if (data === undefined) return null;
  const { datasets, synthetic } = data;
  const late = datasets.filter(({ state }) => state === 'late' || state === 'failing');
  const newest = newestOf(datasets);
  return (
    <Text size="sm" c="dimmed" component="div">
      {synthetic ? 'Simulated data. ' : ''}
      {late.length === 0
        ? 'Data is up to date'
        : `Delayed: ${late.map(({ dataset }) => dataset.replaceAll('-', ' ')).join(', ')}`}
      {newest !== null && (
        <>
          , last change <RelativeTime at={newest} />
        </>
      )}
      .{' '}
      <Anchor href="/status" size="sm">
        Status
      </Anchor>
    </Text>
  );
}

function newestOf(datasets: readonly DatasetFreshness[]): string | null {
  const changes = datasets.flatMap(({ lastChangeAt }) => lastChangeAt ?? []);
  return changes.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}
