import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { BackfillDialog } from './backfill-dialog.tsx';

/** Gathers before the timetable: all there is now, or days gone by. */
export function SourceActs({ of: source }: { of: Source }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  const run = useAct('sources-run', {
    refreshes: ['backfills-list', 'sources-list', 'ingest-runs-list'],
    says: `${source.title} is asked now.`,
  });
  return (
    <Group gap="sm">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-label={`Gather now from ${source.name}`}
        loading={run.isPending}
        onClick={() => run.mutate({ path: { provider: source.name }, body: {} })}
      >
        Gather now
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconHistory size={14} aria-hidden />}
        aria-label={`Back-fill from ${source.name}`}
        onClick={open}
      >
        Back-fill…
      </Button>
      <BackfillDialog of={source} isOpen={isOpen} onClose={close} />
    </Group>
  );
}
