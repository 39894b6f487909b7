import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Disk, Snapshot, System } from '../api/calls.gen.ts';
import { formatBytes, formatShare } from '../format/number.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { Panel } from '../ui/page/panel.tsx';

const FREE_LOW = 0.1;

/** Shows the database engine, its size, and the free disk space. */
export function DatabasePanel({ system: { store, disk } }: { system: System }): ReactNode {
  return (
    <Panel title="Database">
      <DetailList
        items={[
          {
            name: 'Engine',
            value:
              store.engine === 'pglite'
                ? 'Embedded PostgreSQL, in the data folder'
                : 'PostgreSQL server (DATABASE_URL)',
          },
          { name: 'Schema', value: `migration ${store.schemaVersion}` },
          { name: 'Size', value: formatBytes(store.sizeBytes) },
          {
            name: 'Disk',
            value:
              disk === null ? (
                'On the database server, not monitored here'
              ) : (
                <DiskUsage disk={disk} />
              ),
          },
          ...(store.snapshot?.isOld === true
            ? [{ name: 'Old snapshot', value: <OldSnapshot snapshot={store.snapshot} /> }]
            : []),
        ]}
      />
    </Panel>
  );
}

function OldSnapshot({ snapshot: { holder, ageSeconds, fix } }: { snapshot: Snapshot }): ReactNode {
  return (
    <>
      <Text size="sm">
        {holder}
        {ageSeconds !== null && `, for ${Math.round(ageSeconds / 60)} min`}
      </Text>
      <Text size="xs" mt={4}>
        Deleted and updated rows cannot be removed, so the store grows. To stop this, {fix}.
      </Text>
    </>
  );
}

function DiskUsage({ disk: { totalBytes, freeBytes } }: { disk: Disk }): ReactNode {
  const free = freeBytes / totalBytes;
  const isLow = free < FREE_LOW;
  return (
    <>
      <Text size="sm">
        {formatBytes(freeBytes)} of {formatBytes(totalBytes)} free ({formatShare(free)})
      </Text>
      <Progress
        mt={6}
        size={6}
        value={100 * (1 - free)}
        color={isLow ? 'var(--chart-4)' : 'var(--chart-1)'}
        aria-label={`${formatShare(1 - free)} of the disk used`}
      />
      {isLow && (
        <Text size="xs" mt={4}>
          Low disk space. When the disk is full, writes fail.
        </Text>
      )}
    </>
  );
}
