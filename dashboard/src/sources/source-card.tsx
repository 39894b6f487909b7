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

/** A source that is asked: how it stands, what it fills, what comes next, what can be done. */
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
            { name: 'Fills', value: <Fills of={source} datasets={datasets} /> },
            { name: 'Last good', value: <Moment at={source.lastSuccessAt} none="nothing yet" /> },
            { name: 'Last failure', value: <Failure of={source} /> },
            { name: 'Next', value: <Next of={source} /> },
            { name: 'Terms', value: sayTerms(source.redistribution) },
            { name: 'Name', value: <Home of={source} /> },
          ]}
        />
        {source.redistribution === 'synthetic' ? (
          <Text size="sm" c="dimmed">
            It is never asked: what its market does comes in by itself.
          </Text>
        ) : (
          <SourceActs of={source} />
        )}
      </Stack>
    </Panel>
  );
}

function Fills({
  of: source,
  datasets,
}: {
  of: Source;
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

function Failure({ of: { lastFailure, name } }: { of: Source }): ReactNode {
  if (lastFailure === null)
    return (
      <Text span inherit c="dimmed">
        none in thirty days
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
        see all
      </AnchorLink>
    </>
  );
}

function Next({ of: { resting, nextRunAt } }: { of: Source }): ReactNode {
  if (resting !== null) {
    return (
      <>
        asked again <Moment at={resting.until} />
      </>
    );
  }
  return <Moment at={nextRunAt} none="by no timetable" />;
}

function Home({ of: { name, homepage } }: { of: Source }): ReactNode {
  if (!homepage.startsWith('https://')) return name;
  return (
    <Anchor href={homepage} size="sm" rel="noreferrer" target="_blank">
      {name}
    </Anchor>
  );
}
