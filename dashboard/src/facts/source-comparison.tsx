import { Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FactDetail, Observation } from '../api/calls.gen.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** Shows the values from each source next to the current values, with differences marked. */
export function SourceComparison({ fact }: { fact: FactDetail }): ReactNode {
  const [showsEarlier, setShowsEarlier] = useState(false);
  const { observations } = fact;
  const visible = showsEarlier ? observations : observations.filter(({ isLatest }) => isLatest);
  const earlier = observations.filter(({ isLatest }) => !isLatest).length;
  const sourceFields = new Set(visible.flatMap(({ fields }) => Object.keys(fields)));
  const current: Side = {
    key: 'current',
    head: fact.isStanding ? 'Current' : 'Last known',
    // Fields that don't come from a source, such as our IDs, can't be compared.
    values: Object.fromEntries(
      Object.entries(fact.facts).filter(([field]) => sourceFields.has(field)),
    ),
    isMain: true,
  };
  return (
    <Panel
      title="Sources"
      isFlush
      aside={
        earlier > 0 && (
          <Switch
            size="xs"
            label={`Show earlier values (${earlier})`}
            checked={showsEarlier}
            onChange={(event) => setShowsEarlier(event.currentTarget.checked)}
          />
        )
      }
    >
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        What each source reported, including near matches. Differences from the current values are
        marked.
      </Text>
      <SideBySide
        caption="Current values compared with each source"
        sides={[current, ...visible.map(sideOf)]}
      />
    </Panel>
  );
}

function sideOf(observation: Observation): Side {
  return {
    key: String(observation.recordId),
    head: <Head observation={observation} />,
    values: observation.fields,
  };
}

function Head({ observation }: { observation: Observation }): ReactNode {
  return (
    <Stack gap={0}>
      {observation.provider === observation.feed
        ? observation.provider
        : `${observation.provider}, ${observation.feed}`}
      <Text size="xs" c="dimmed" span>
        {observation.naturalKey},
        <br />
        {observation.isLatest ? 'last seen ' : 'earlier, last seen '}
        <RelativeTime at={observation.lastSeenAt} />
      </Text>
    </Stack>
  );
}
