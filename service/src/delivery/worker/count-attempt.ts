import type { Log } from '../../platform/log.ts';
import { outcomeOf } from '../record/next-state.ts';
import type { AttemptResult } from '../record/attempt-result.ts';
import { observe, type WebhookMetrics } from './metrics.ts';

/** Counts an attempt by how it ended, or a delivery that was given back before one was made. */
export function countAttempt(
  { metrics, log }: { metrics: WebhookMetrics; log: Log },
  { delivery: claimed, outcome, at }: AttemptResult,
): void {
  const result = outcomeOf(outcome);
  if (result === null) {
    metrics.released += 1;
    return;
  }
  const name = result.kind === 'delivered' ? 'delivered' : result.code;
  metrics.attempts[name] = (metrics.attempts[name] ?? 0) + 1;
  const blocked = outcome.kind === 'failed' ? outcome.addressClass : undefined;
  if (blocked !== undefined)
    metrics.blockedAddresses[blocked] = (metrics.blockedAddresses[blocked] ?? 0) + 1;
  if (result.kind === 'delivered') observe(metrics.changeToAck, at - claimed.changedAt);
  log.debug(
    {
      delivery: claimed.id,
      endpoint: claimed.endpointId,
      attempt: claimed.attemptNumber,
      end: name,
    },
    'attempt',
  );
}
