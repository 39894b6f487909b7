/** A delivery that waits, by what matters to a change that finds it. */
export interface PendingDelivery {
  id: string;
  /** A byte of it may have reached the receiver. */
  maybeSent: boolean;
}

/** What a change does to the deliveries of an endpoint about a company. */
export type PendingResolution =
  /** None waits: a new one is opened. */
  | { kind: 'open' }
  /** The receiver cannot know the one that waits: it tells of this change too. */
  | { kind: 'absorb'; id: string }
  /** The receiver may know its id with other data: it is closed, and a new one is opened. */
  | { kind: 'supersede'; id: string };

/**
 * An id is never sent with other data once a receiver may have seen it: who keeps ids to drop
 * repetitions would else drop the newest data. One in flight is not among those that wait.
 */
export function resolvePending(pending: PendingDelivery | null): PendingResolution {
  if (pending === null) return { kind: 'open' };
  return { kind: pending.maybeSent ? 'supersede' : 'absorb', id: pending.id };
}
