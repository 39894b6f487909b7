import { commonRefusal, refused, refusedTooMany, unexpected } from './refusals.ts';
import type { Outcome } from './route.ts';

/** What acts on webhooks answer when something will not do, as problems. */
export function webhookRefusal(
  outcome:
    | { kind: string }
    | { kind: 'over-limit' | 'conflict'; detail: string }
    | { kind: 'too-many'; retryAfterSeconds: number },
): Outcome {
  if ('retryAfterSeconds' in outcome) return refusedTooMany(outcome);
  const common = commonRefusal(outcome);
  if (common !== null) return common;
  if ('detail' in outcome) return refused('conflict', outcome.detail);
  return unexpected(outcome);
}
