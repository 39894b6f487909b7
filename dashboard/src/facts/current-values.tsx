import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FactSource, FactDetail } from '../api/calls.gen.ts';
import { formatValue } from '../format/value.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Shows all fields as customers see them, each with the source that provided its value. */
export function CurrentValues({ fact }: { fact: FactDetail }): ReactNode {
  const fields = Object.entries(fact.facts);
  const missing = fields.filter(([, value]) => value === null).map(([field]) => field);
  return (
    <Panel
      title={fact.isStanding ? 'Current values' : 'Last known values'}
      aside={
        <StatusBadge tone={fact.isStanding ? 'good' : 'bad'}>
          {fact.isStanding ? 'current' : 'withdrawn'}
        </StatusBadge>
      }
    >
      <DetailList
        items={fields
          .filter(([, value]) => value !== null)
          .map(([field, value]) => ({
            name: field,
            value: <FieldValue value={value} source={fact.provenance[field]} />,
          }))}
      />
      {missing.length > 0 && (
        <Text size="sm" c="dimmed" mt="md">
          No value: {missing.join(', ')}
        </Text>
      )}
    </Panel>
  );
}

function FieldValue(props: { value: unknown; source: FactSource | undefined }): ReactNode {
  const { value, source } = props;
  return (
    <Group justify="space-between" gap="0.1rem 1rem" align="baseline">
      <Text size="sm" fw={550}>
        {formatValue(value)}
      </Text>
      {source !== undefined && (
        <Text size="xs" c="dimmed">
          {source.provider === source.feed ? source.provider : `${source.provider}, ${source.feed}`}
          , seen <RelativeTime at={source.seenAt} />
        </Text>
      )}
    </Group>
  );
}
