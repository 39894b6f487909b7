import { Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FactDetail, Observation } from '../api/calls.gen.ts';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** The values from each source next to the current values, with differences marked. */
export function AllSources({ fact }: { fact: FactDetail }): ReactNode {
  const [isAll, setIsAll] = useState(false);
  const { observations } = fact;
  const shown = isAll ? observations : observations.filter(({ isLatest }) => isLatest);
  const earlier = observations.filter(({ isLatest }) => !isLatest).length;
  const told = new Set(shown.flatMap(({ fields }) => Object.keys(fields)));
  const stands: Side = {
    key: 'stands',
    head: fact.isStanding ? 'Current' : 'Last known',
    // Fields without a source, such as our IDs, have nothing to compare.
    values: Object.fromEntries(Object.entries(fact.facts).filter(([field]) => told.has(field))),
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
            checked={isAll}
            onChange={(event) => setIsAll(event.currentTarget.checked)}
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
        sides={[stands, ...shown.map(sideOf)]}
      />
    </Panel>
  );
}

function sideOf(said: Observation): Side {
  return { key: String(said.recordId), head: <Head observation={said} />, values: said.fields };
}

function Head({ observation: said }: { observation: Observation }): ReactNode {
  return (
    <Stack gap={0}>
      {said.provider === said.feed ? said.provider : `${said.provider}, ${said.feed}`}
      <Text size="xs" c="dimmed" span>
        {said.naturalKey},
        <br />
        {said.isLatest ? 'last seen ' : 'earlier, last seen '}
        <Moment at={said.lastSeenAt} />
      </Text>
    </Stack>
  );
}
