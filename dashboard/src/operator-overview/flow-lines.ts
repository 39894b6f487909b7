import type { Source, IngestStatus, WebhookQueueStats } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import { formatSpan } from '../format/span.ts';
import { isFailing, sayFailure } from '../sources/source-words.ts';
import type { StateLine } from './state-line.ts';

const LATE_SECONDS = 60;
const VERY_LATE_SECONDS = 600;

/** How the sources that are asked answer. */
export function sourcesLine({ sources }: IngestStatus): StateLine {
  const place = { name: 'Sources', to: '/operator/sources' } as const;
  const used = sources.filter(({ inUse }) => inUse);
  const ill = used.filter((source) => source.resting !== null || isFailing(source));
  if (used.length === 0) return { ...place, tone: 'plain', text: 'None is asked.' };
  if (ill.length === 0) {
    const text =
      used.length === 1 ? 'The one in use answers.' : `All ${used.length} in use answer.`;
    return { ...place, tone: 'good', text };
  }
  const tone = ill.length === used.length ? 'bad' : 'warn';
  const text = `${ill.length} of ${used.length} in use give no good answer: ${ill.map(say).join('; ')}.`;
  return { ...place, tone, text };
}

function say({ title, lastFailure }: Source): string {
  return lastFailure === null ? title : `${title} (${sayFailure(lastFailure)})`;
}

/** Whether webhooks go out in time, and who cannot be told. */
export function deliveriesLine(figures: WebhookQueueStats): StateLine {
  const place = { name: 'Deliveries', to: '/operator/deliveries' } as const;
  const { due, oldestDueSeconds, failingEndpoints, inFlight } = figures;
  const failing =
    failingEndpoints === 0
      ? ''
      : ` ${formatCount(failingEndpoints)} ${failingEndpoints === 1 ? 'endpoint fails' : 'endpoints fail'}.`;
  if (due === 0) {
    const text = `None is due, ${formatCount(inFlight)} under way.${failing}`;
    return { ...place, tone: failing === '' ? 'good' : 'warn', text };
  }
  const text = `${formatCount(due)} due, the oldest for ${formatSpan(oldestDueSeconds)}.${failing}`;
  const isLate = oldestDueSeconds > LATE_SECONDS;
  const tone =
    oldestDueSeconds > VERY_LATE_SECONDS ? 'bad' : isLate || failing !== '' ? 'warn' : 'good';
  return { ...place, tone, text };
}
