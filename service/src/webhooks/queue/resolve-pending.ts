/** The facts about a pending delivery that determine how a new change affects it. */
export interface PendingDelivery {
  id: string;
  /** True if a byte of the delivery may have reached the receiver. */
  maybeSent: boolean;
}

/** The effect of a change on the pending delivery for the same endpoint and symbol. */
export type PendingResolution =
  /** No delivery is pending, so a new one is created for the change. */
  | { kind: 'open' }
  /** The receiver cannot have seen the pending delivery, so the change is added to it. */
  | { kind: 'absorb'; id: string }
  /**
   * The receiver may have seen the ID with different data, so a new delivery replaces the pending
   * one.
   */
  | { kind: 'supersede'; id: string };

/**
 * Decides how a change affects a pending delivery. An ID is never sent with different data once a
 * receiver may have seen it. Otherwise, receivers that use IDs to drop duplicates would drop the
 * newest data. Deliveries in flight are not pending.
 */
export function resolvePending(pending: PendingDelivery | null): PendingResolution {
  if (pending === null) return { kind: 'open' };
  return { kind: pending.maybeSent ? 'supersede' : 'absorb', id: pending.id };
}
