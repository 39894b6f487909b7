import { Anchor, Group, Stack, Text, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DatasetFreshness, Source } from '../api/calls.gen.ts';
import { DetailList } from '../ui/values/detail-list.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { failureLabel, termsLabel, sourceStatus } from './source-status.ts';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory, IconPlayerPlay } from '@tabler/icons-react';
import { useAction } from '../api/use-action.ts';
import { BackfillDialog } from './backfill-dialog.tsx';

const FRESHNESS: Readonly<Record<DatasetFreshness['state'], Tone>> = {
  fresh: 'good',
  late: 'warn',
  empty: 'plain',
  idle: 'plain',
  replayed: 'plain',
};

/** Shows an enabled source with its status, datasets, schedule, terms, and actions. */
export function SourceCard(props: {
  source: Source;
  datasets: readonly DatasetFreshness[];
}): ReactNode {
  const { source, datasets } = props;
  const { tone, text } = sourceStatus(source);
  return (
    <Panel title={source.title} aside={<StatusBadge tone={tone}>{text}</StatusBadge>}>
      <Stack gap="md" justify="space-between" h="100%">
        <DetailList
          items={[
            { name: 'Datasets', value: <Datasets source={source} datasets={datasets} /> },
            {
              name: 'Last success',
              value: <RelativeTime at={source.lastSuccessAt} placeholder="never" />,
            },
            { name: 'Last failure', value: <LastFailure source={source} /> },
            { name: 'Next run', value: <NextRun source={source} /> },
            { name: 'Terms', value: termsLabel(source.redistribution) },
            { name: 'Name', value: <Homepage source={source} /> },
          ]}
        />
        {source.redistribution === 'synthetic' ? (
          <Text size="sm" c="dimmed">
            The simulated market generates its own data.
          </Text>
        ) : (
          <SourceActions source={source} />
        )}
      </Stack>
    </Panel>
  );
}

function Datasets({
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
          <StatusBadge key={name} tone={FRESHNESS[state]}>
            {name} · {state}
          </StatusBadge>
        );
      })}
    </Group>
  );
}

function LastFailure({ source: { lastFailure, name } }: { source: Source }): ReactNode {
  if (lastFailure === null)
    return (
      <Text span inherit c="dimmed">
        none in 30 days
      </Text>
    );
  return (
    <>
      <RelativeTime at={lastFailure.at} />, {failureLabel(lastFailure)}{' '}
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

function NextRun({ source: { resting, nextRunAt } }: { source: Source }): ReactNode {
  if (resting !== null) {
    return (
      <>
        Paused, resumes <RelativeTime at={resting.until} />
      </>
    );
  }
  return <RelativeTime at={nextRunAt} placeholder="not scheduled" />;
}

function Homepage({ source: { name, homepage } }: { source: Source }): ReactNode {
  if (!homepage.startsWith('https://')) return name;
  return (
    <Anchor href={homepage} size="sm" rel="noreferrer" target="_blank">
      {name}
    </Anchor>
  );
}

/** Starts a fetch or backfill outside the schedule. */
function SourceActions({ source }: { source: Source }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  const run = useAction('sources-run', {
    refreshes: ['backfills-list', 'sources-list', 'ingest-runs-list'],
    successMessage: `Fetching from ${source.title}`,
  });
  return (
    <Group gap="sm">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-label={`Fetch now from ${source.name}`}
        loading={run.isPending}
        onClick={() => run.mutate({ path: { provider: source.name }, body: {} })}
      >
        Fetch now
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconHistory size={14} aria-hidden />}
        aria-label={`Backfill from ${source.name}`}
        onClick={open}
      >
        Backfill…
      </Button>
      <BackfillDialog source={source} isOpen={isOpen} onClose={close} />
    </Group>
  );
}
