import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IngestBatch } from '../api/calls.gen.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';

/** What operators asked for beyond the timetable, with how far it is. */
export function BatchList({ batches }: { batches: readonly IngestBatch[] }): ReactNode {
  return (
    <DataTable
      caption="Runs and back-fills that operators asked for"
      rows={batches}
      keyOf={({ id }) => id}
      empty={
        <Text size="sm" c="dimmed" px="lg" py="md">
          Nothing yet. “Gather now” asks a source for everything once; “Back-fill” asks it for days
          gone by. How far they are is shown here.
        </Text>
      }
      columns={[
        { name: 'What', render: (batch) => <What of={batch} /> },
        { name: 'Progress', render: (batch) => <Done of={batch} /> },
        { name: 'Rows', isNumber: true, render: ({ rows }) => formatCount(rows) },
        { name: 'Begun', isExtra: true, render: (batch) => <Begun of={batch} /> },
      ]}
    />
  );
}

function What({ of: { kind, provider, feed, from, to } }: { of: IngestBatch }): ReactNode {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={550}>
        {feed === null ? provider : `${provider}, ${feed}`}
      </Text>
      <Text size="xs" c="dimmed">
        {kind === 'run' ? 'everything once' : `${from ?? '…'} to ${to ?? '…'}`}
      </Text>
    </Stack>
  );
}

function Done({ of: batch }: { of: IngestBatch }): ReactNode {
  const { state, done, total, unavailable } = batch;
  const share = total === 0 ? 1 : done / total;
  const says = `${formatCount(done)} of ${formatCount(total)} requests`;
  return (
    <Stack gap={4} miw={170} maw={280}>
      <Progress
        value={100 * share}
        size={6}
        animated={state === 'running'}
        color={state === 'running' ? 'var(--chart-2)' : 'var(--chart-1)'}
        aria-label={`${formatShare(share)} done: ${says}`}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {says}
        {unavailable > 0 && `, ${formatCount(unavailable)} without an answer`}{' '}
        {state === 'finished' && <Mark tone={unavailable > 0 ? 'warn' : 'good'}>finished</Mark>}
      </Text>
    </Stack>
  );
}

function Begun({ of: { startedAt, startedBy } }: { of: IngestBatch }): ReactNode {
  return (
    <Stack gap={0}>
      <Moment at={startedAt} />
      <Text size="xs" c="dimmed">
        {startedBy}
      </Text>
    </Stack>
  );
}
