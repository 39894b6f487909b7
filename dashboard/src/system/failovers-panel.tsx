import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { System } from '../api/calls.gen.ts';
import { Panel } from '../ui/page/panel.tsx';
import { DetailList } from '../ui/values/detail-list.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

type Failover = System['failovers'][number];

/** Shows what failovers of PostgreSQL lost, so that the operator can repeat lost actions. */
export function FailoversPanel({ system: { failovers } }: { system: System }): ReactNode {
  if (failovers.length === 0) return null;
  return (
    <Panel title="Database failovers">
      <DetailList
        items={failovers.map((failover) => ({
          name: failover.process,
          value: <FailoverStatus failover={failover} />,
        }))}
      />
    </Panel>
  );
}

function FailoverStatus({ failover }: { failover: Failover }): ReactNode {
  const { comparedAt, lostCount, isComplete, lost } = failover;
  const atLeast = isComplete ? '' : 'at least ';
  return (
    <>
      {lostCount === 0 ? 'Nothing lost' : `Lost ${atLeast}${lostCount}`},{' '}
      <RelativeTime at={comparedAt} />
      {lost.map(({ kind, committedAt, text }) => (
        <Text key={`${committedAt} ${text}`} size="sm">
          {kind === 'action' ? 'Repeat: ' : ''}
          {text}
        </Text>
      ))}
    </>
  );
}
