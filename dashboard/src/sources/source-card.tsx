import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DatasetFreshness, Source } from '../api/calls.gen.ts';
import { Facts } from '../ui/values/facts.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { Mark, type Tone } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { SourceActs } from './source-acts.tsx';
import { sayFailure, sayTerms, standingOf } from './source-words.ts';

const FRESHNESS: Readonly<Record<DatasetFreshness['state'], Tone>> = {
  fresh: 'good',
  late: 'warn',
  empty: 'plain',
  idle: 'plain',
};

/** An enabled source: status, datasets, schedule, terms and actions. */
export function SourceCard(props: {
  source: Source;
  datasets: readonly DatasetFreshness[];
}): ReactNode {
  const { source, datasets } = props;
  const { tone, text } = standingOf(source);
  return (
    <Panel title={source.title} aside={<Mark tone={tone}>{text}</Mark>}>
      <Stack gap="md" justify="space-between" h="100%">
        <Facts
          items={[
            { name: 'Datasets', value: <Fills source={source} datasets={datasets} /> },
            { name: 'Last success', value: <Moment at={source.lastSuccessAt} none="never" /> },
            { name: 'Last failure', value: <Failure source={source} /> },
            { name: 'Next run', value: <Next source={source} /> },
            { name: 'Terms', value: sayTerms(source.redistribution) },
            { name: 'Name', value: <Home source={source} /> },
          ]}
        />
        {source.redistribution === 'synthetic' ? (
          <Text size="sm" c="dimmed">
            The simulated market generates its own data.
          </Text>
        ) : (
          <SourceActs source={source} />
        )}
      </Stack>
    </Panel>
  );
}

function Fills({
  source,
  datasets,
}: {
  source: Source;
  datasets: readonly DatasetFreshness[];
}): ReactNode {
  return (
    <Group gap={6}>
      {source.datasets.map((name) => {
        const state = datasets.find(({ dataset }) => dataset === name)?.state ?? 'idle';
        return (
          <Mark key={name} tone={FRESHNESS[state]}>
            {name} · {state}
          </Mark>
        );
      })}
    </Group>
  );
}

function Failure({ source: { lastFailure, name } }: { source: Source }): ReactNode {
  if (lastFailure === null)
    return (
      <Text span inherit c="dimmed">
        none in 30 days
      </Text>
    );
  return (
    <>
      <Moment at={lastFailure.at} />, {sayFailure(lastFailure)}{' '}
      <AnchorLink
        to="/operator/runs"
        search={{ provider: name, outcome: lastFailure.outcome }}
        size="sm"
      >
        View all
      </AnchorLink>
    </>
  );
}

function Next({ source: { resting, nextRunAt } }: { source: Source }): ReactNode {
  if (resting !== null) {
    return (
      <>
        Paused until <Moment at={resting.until} />
      </>
    );
  }
  return <Moment at={nextRunAt} none="not scheduled" />;
}

function Home({ source: { name, homepage } }: { source: Source }): ReactNode {
  if (!homepage.startsWith('https://')) return name;
  return (
    <Anchor href={homepage} size="sm" rel="noreferrer" target="_blank">
      {name}
    </Anchor>
  );
}
