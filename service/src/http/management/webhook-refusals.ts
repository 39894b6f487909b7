import { commonRejection, reject, rejectTooMany, unexpectedOutcome } from './refusals.ts';
import type { CallResult } from './route.ts';

/** What acts on webhooks answer when something will not do, as problems. */
export function webhookRefusal(
  outcome:
    | { kind: string }
    | { kind: 'over-limit' | 'conflict'; detail: string }
    | { kind: 'too-many'; retryAfterSeconds: number },
): CallResult {
  if ('retryAfterSeconds' in outcome) return rejectTooMany(outcome);
  const common = commonRejection(outcome);
  if (common !== null) return common;
  if ('detail' in outcome) return reject('conflict', outcome.detail);
  return unexpectedOutcome(outcome);
}
