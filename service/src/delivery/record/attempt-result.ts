import type { Instant } from '../../platform/instant.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { PostOutcome } from '../send/agent.ts';

/** An attempt that is over. */
export interface AttemptResult {
  delivery: ClaimedDelivery;
  outcome: PostOutcome;
  /** As they were sent. */
  requestHeaders: readonly (readonly [string, string])[];
  at: Instant;
}
