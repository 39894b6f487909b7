import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookQueueStats } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import { formatSpan } from '../format/span.ts';
import { Panel } from '../ui/page/panel.tsx';
import { Stat } from '../ui/values/stat.tsx';

/** The number at which the service stops counting. */
const COUNTED_MAX = 100_000;
/** The maximum number of endpoints that the call returns. */
const SHOWN_MAX = 20;
/** If a delivery has been due for longer than this, the worker is down or overloaded. */
const LATE_SECONDS = 60;

/** Shows the current state of the delivery queue. */
export function QueuePanel({ figures }: { figures: WebhookQueueStats }): ReactNode {
  const { due, oldestDueSeconds, inFlight, toTell, worst } = figures;
  const failing = worst.filter(({ failingSince }) => failingSince !== null).length;
  return (
    <Panel title="Queue">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="lg">
        <Stat
          name="Due"
          value={due >= COUNTED_MAX ? `${formatCount(COUNTED_MAX)}+` : formatCount(due)}
          note="waiting to be sent"
        />
        <Stat
          name="Oldest due"
          value={due === 0 ? '–' : formatSpan(oldestDueSeconds)}
          note={ageNote(due, oldestDueSeconds)}
        />
        <Stat name="In flight" value={formatCount(inFlight)} note="being sent now" />
        <Stat
          name="Fan-out backlog"
          value={formatCount(toTell)}
          note="changed companies whose deliveries aren’t all created yet"
        />
        <Stat
          name="Endpoints"
          value={failingLabel(failing, worst.length)}
          note={`${formatCount(figures.slowEndpoints)} throttled, ${formatCount(figures.disabledEndpoints)} disabled`}
        />
      </SimpleGrid>
    </Panel>
  );
}

function failingLabel(failing: number, listed: number): string {
  if (failing === 0) return 'None failing';
  return `${failing}${listed >= SHOWN_MAX ? '+' : ''} failing`;
}

function ageNote(due: number, seconds: number): string {
  if (due === 0) return 'queue is empty';
  return seconds > LATE_SECONDS ? 'late: see the endpoints below' : 'within target';
}
