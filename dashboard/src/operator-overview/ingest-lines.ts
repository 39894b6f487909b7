import type { Source, IngestStatus, WebhookQueueStats } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import { formatSpan } from '../format/span.ts';
import { isFailing, failureLabel } from '../sources/source-status.ts';
import type { StatusLine } from './status-line.ts';

const LATE_SECONDS = 60;
const VERY_LATE_SECONDS = 600;

/** Summarizes the health of the enabled sources. */
export function sourcesLine({ sources }: IngestStatus): StatusLine {
  const area = { name: 'Sources', to: '/operator/sources' } as const;
  const used = sources.filter(({ inUse }) => inUse);
  const failing = used.filter((source) => source.resting !== null || isFailing(source));
  if (used.length === 0) return { ...area, tone: 'plain', text: 'No source configured.' };
  if (failing.length === 0) {
    const text = `${used.length} of ${used.length} sources healthy.`;
    return { ...area, tone: 'good', text };
  }
  const tone = failing.length === used.length ? 'bad' : 'warn';
  const text = `${failing.length} of ${used.length} sources failing: ${failing.map(describe).join('; ')}.`;
  return { ...area, tone, text };
}

function describe({ title, lastFailure }: Source): string {
  return lastFailure === null ? title : `${title} (${failureLabel(lastFailure)})`;
}

/** Summarizes the health of the delivery queue and the number of failing endpoints. */
export function deliveriesLine(figures: WebhookQueueStats): StatusLine {
  const area = { name: 'Deliveries', to: '/operator/deliveries' } as const;
  const { due, oldestDueSeconds, failingEndpoints, inFlight } = figures;
  const failing =
    failingEndpoints === 0
      ? ''
      : ` ${formatCount(failingEndpoints)} ${failingEndpoints === 1 ? 'endpoint failing' : 'endpoints failing'}.`;
  if (due === 0) {
    const text = `Queue is empty, ${formatCount(inFlight)} in flight.${failing}`;
    return { ...area, tone: failing === '' ? 'good' : 'warn', text };
  }
  const text = `${formatCount(due)} due, oldest ${formatSpan(oldestDueSeconds)} ago.${failing}`;
  const isLate = oldestDueSeconds > LATE_SECONDS;
  const tone =
    oldestDueSeconds > VERY_LATE_SECONDS ? 'bad' : isLate || failing !== '' ? 'warn' : 'good';
  return { ...area, tone, text };
}
