/** A pending delivery, as seen by a new change. */
export interface PendingDelivery {
  id: string;
  /** A byte of it may have reached the receiver. */
  maybeSent: boolean;
}

/** The effect of a change on the pending delivery of its endpoint and symbol. */
export type PendingResolution =
  /** Nothing is pending: create a delivery. */
  | { kind: 'open' }
  /** The receiver cannot have seen the pending delivery: it reports this change too. */
  | { kind: 'absorb'; id: string }
  /** The receiver may have seen the ID with other data: replace the delivery with a new one. */
  | { kind: 'supersede'; id: string };

/**
 * An ID is never sent with other data once a receiver may have seen it. Receivers that use IDs to
 * drop duplicates would otherwise drop the newest data. Deliveries in flight are not pending.
 */
export function resolvePending(pending: PendingDelivery | null): PendingResolution {
  if (pending === null) return { kind: 'open' };
  return { kind: pending.maybeSent ? 'supersede' : 'absorb', id: pending.id };
}
