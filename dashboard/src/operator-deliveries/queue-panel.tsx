import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookQueueStats } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import { formatSpan } from '../format/span.ts';
import { Panel } from '../ui/page/panel.tsx';
import { Stat } from '../ui/values/stat.tsx';

/** The service counts no further. */
const COUNTED_MAX = 100_000;
/** Of the worst endpoints so many are told. */
const SHOWN_MAX = 20;
/** Later than this the worker is away, or has more to do than it can. */
const LATE_SECONDS = 60;

/** How the queue of deliveries stands now. */
export function QueuePanel({ of: figures }: { of: WebhookQueueStats }): ReactNode {
  const { due, oldestDueSeconds, inFlight, toTell, worst } = figures;
  const failing = worst.filter(({ failingSince }) => failingSince !== null).length;
  return (
    <Panel title="The queue now">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="lg">
        <Stat
          name="Due"
          value={due >= COUNTED_MAX ? `${formatCount(COUNTED_MAX)}+` : formatCount(due)}
          note="should be on their way"
        />
        <Stat
          name="Oldest due"
          value={due === 0 ? '–' : formatSpan(oldestDueSeconds)}
          note={sayLate(due, oldestDueSeconds)}
        />
        <Stat name="In flight" value={formatCount(inFlight)} note="being sent at this moment" />
        <Stat
          name="To be told"
          value={formatCount(toTell)}
          note="companies that changed, their subscribers not all opened yet"
        />
        <Stat
          name="Endpoints"
          value={sayFailing(failing, worst.length)}
          note={`${formatCount(figures.slowEndpoints)} in the slow lane, ${formatCount(figures.disabledEndpoints)} disabled`}
        />
      </SimpleGrid>
    </Panel>
  );
}

function sayFailing(failing: number, shown: number): string {
  if (failing === 0) return 'none failing';
  return `${failing}${shown >= SHOWN_MAX ? '+' : ''} failing`;
}

function sayLate(due: number, seconds: number): string {
  if (due === 0) return 'nothing waits';
  return seconds > LATE_SECONDS ? 'late: see the endpoints below' : 'how late it is';
}
