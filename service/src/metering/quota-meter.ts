import type { Plan } from '../domain/plan.ts';
import type { Cost, QuotaWindow } from '../domain/quota-window.ts';
import type { Instant } from '../platform/instant.ts';

/**
 * Counts requests against the limits of a customer's plan, however many keys the customer has. All
 * windows that a request costs are taken together or none is; a refused request changes nothing.
 */
export interface Meter {
  /** At once where memory decides; a promise where a store must agree first. Never rejects. */
  take(request: TakeRequest): Taken | Promise<Taken>;
}

/** A meter with a life: it counts in the background and writes what is left when it stops. */
export interface StartedMeter extends Meter {
  /** Learns at once of counts that a command reset in the store. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface TakeRequest {
  customerId: string;
  plan: Plan;
  cost: Cost;
  now: Instant;
}

export type Taken = Admitted | Refused | Unavailable;

export interface Admitted {
  kind: 'admitted';
  /** Names and values in turn. */
  headers: readonly string[];
  /** Gives day and month back after a failure of ours; a second call does nothing. */
  refund(): void | Promise<void>;
  /** What `headers` are once it was refunded; left out where that changes nothing. */
  refundedHeaders?: () => readonly string[];
}

export interface Refused {
  kind: 'refused';
  /** `quota-exceeded` when day or month is full, else `rate-limited`. */
  code: 'rate-limited' | 'quota-exceeded';
  /** Every full window that the request costs, shortest first. */
  violated: readonly QuotaWindow[];
  /** The full window that is the last to open, its limit, and when it does. */
  window: QuotaWindow;
  limit: number;
  resetAt: Instant;
  /** Until then, rounded up. */
  retryAfterSeconds: number;
  headers: readonly string[];
}

/** The count cannot be kept now, and was not made. */
export interface Unavailable {
  kind: 'unavailable';
  retryAfterSeconds: number;
}
