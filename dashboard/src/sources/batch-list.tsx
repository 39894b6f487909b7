import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IngestBatch } from '../api/calls.gen.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** Lists fetches and backfills started by operators, with their progress. */
export function BatchList({ batches }: { batches: readonly IngestBatch[] }): ReactNode {
  return (
    <DataTable
      caption="Fetches and backfills"
      rows={batches}
      keyOf={({ id }) => id}
      empty={
        <Text size="sm" c="dimmed" px="lg" py="md">
          No fetches or backfills yet. “Fetch now” requests all current data from a source.
          “Backfill” requests past days.
        </Text>
      }
      columns={[
        { name: 'Source', render: (batch) => <BatchSource batch={batch} /> },
        { name: 'Progress', render: (batch) => <BatchProgress batch={batch} /> },
        { name: 'Rows', isNumber: true, render: ({ rows }) => formatCount(rows) },
        { name: 'Started', isExtra: true, render: (batch) => <BatchStart batch={batch} /> },
      ]}
    />
  );
}

function BatchSource({
  batch: { kind, provider, feed, from, to },
}: {
  batch: IngestBatch;
}): ReactNode {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={550}>
        {feed === null ? provider : `${provider}, ${feed}`}
      </Text>
      <Text size="xs" c="dimmed">
        {kind === 'run' ? 'All current data' : `${from ?? '…'} to ${to ?? '…'}`}
      </Text>
    </Stack>
  );
}

function BatchProgress({ batch }: { batch: IngestBatch }): ReactNode {
  const { state, done, total, unavailable } = batch;
  const share = total === 0 ? 1 : done / total;
  const progressText = `${formatCount(done)} of ${formatCount(total)} requests`;
  return (
    <Stack gap={4} miw={170} maw={280}>
      <Progress
        value={100 * share}
        size={6}
        animated={state === 'running'}
        color={state === 'running' ? 'var(--chart-2)' : 'var(--chart-1)'}
        aria-label={`${formatShare(share)} done: ${progressText}`}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {progressText}
        {unavailable > 0 && `, ${formatCount(unavailable)} failed`}{' '}
        {state === 'finished' && (
          <StatusBadge tone={unavailable > 0 ? 'warn' : 'good'}>finished</StatusBadge>
        )}
      </Text>
    </Stack>
  );
}

function BatchStart({ batch: { startedAt, startedBy } }: { batch: IngestBatch }): ReactNode {
  return (
    <Stack gap={0}>
      <RelativeTime at={startedAt} />
      <Text size="xs" c="dimmed">
        {startedBy}
      </Text>
    </Stack>
  );
}
