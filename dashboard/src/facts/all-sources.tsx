import { Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FactDetail, Observation } from '../api/calls.gen.ts';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { type Side, SideBySide } from '../ui/tables/side-by-side.tsx';

/** What each source says, beside what stands; a value that differs from it is marked. */
export function AllSources({ of: fact }: { of: FactDetail }): ReactNode {
  const [isAll, setIsAll] = useState(false);
  const { observations } = fact;
  const shown = isAll ? observations : observations.filter(({ isLatest }) => isLatest);
  const earlier = observations.filter(({ isLatest }) => !isLatest).length;
  const told = new Set(shown.flatMap(({ fields }) => Object.keys(fields)));
  const stands: Side = {
    key: 'stands',
    head: fact.isStanding ? 'What stands' : 'What stood last',
    // What no source tells of, such as our ids, has nothing to stand beside.
    values: Object.fromEntries(Object.entries(fact.facts).filter(([field]) => told.has(field))),
    isMain: true,
  };
  return (
    <Panel
      title="What each source says"
      isFlush
      aside={
        earlier > 0 && (
          <Switch
            size="xs"
            label={`Earlier words too (${earlier})`}
            checked={isAll}
            onChange={(event) => setIsAll(event.currentTarget.checked)}
          />
        )
      }
    >
      <Text size="sm" c="dimmed" px="lg" pb="sm">
        Words of this fact, and of ones so near that they may mean it. What differs from what stands
        is marked.
      </Text>
      <SideBySide
        caption="What stands beside what each source says"
        sides={[stands, ...shown.map(sideOf)]}
      />
    </Panel>
  );
}

function sideOf(said: Observation): Side {
  return { key: String(said.recordId), head: <Head of={said} />, values: said.fields };
}

function Head({ of: said }: { of: Observation }): ReactNode {
  return (
    <Stack gap={0}>
      {said.provider === said.feed ? said.provider : `${said.provider}, ${said.feed}`}
      <Text size="xs" c="dimmed" span>
        of {said.naturalKey},
        <br />
        {said.isLatest ? 'last said ' : 'earlier, last said '}
        <Moment at={said.lastSeenAt} />
      </Text>
    </Stack>
  );
}
