import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Disk, System } from '../api/calls.gen.ts';
import { formatBytes, formatShare } from '../format/number.ts';
import { Facts } from '../ui/values/facts.tsx';
import { Panel } from '../ui/page/panel.tsx';

const FREE_LOW = 0.1;

/** Where everything is kept, how large it is, and how much room is left. */
export function StoreFacts({ of: { store, disk } }: { of: System }): ReactNode {
  return (
    <Panel title="Store">
      <Facts
        items={[
          {
            name: 'Engine',
            value:
              store.engine === 'pglite'
                ? 'embedded PostgreSQL, in the data folder'
                : 'a PostgreSQL server (DATABASE_URL)',
          },
          { name: 'Schema', value: `migration ${store.schemaVersion}` },
          { name: 'Size', value: formatBytes(store.sizeBytes) },
          {
            name: 'Disk',
            value:
              disk === null ? (
                'that of the database server, not seen from here'
              ) : (
                <Room of={disk} />
              ),
          },
        ]}
      />
    </Panel>
  );
}

function Room({ of: { totalBytes, freeBytes } }: { of: Disk }): ReactNode {
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
        aria-label={`${formatShare(1 - free)} of the disk are used`}
      />
      {isLow && (
        <Text size="xs" mt={4}>
          Little room: when it is full, nothing can be written any more.
        </Text>
      )}
    </>
  );
}
