import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { BackfillDialog } from './backfill-dialog.tsx';

/** Starts a fetch or backfill outside the schedule. */
export function SourceActions({ source }: { source: Source }): ReactNode {
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
