import type { ReadLimits } from '../domain/plan.ts';
import type { Cost, QuotaPeriod, QuotaWindow } from '../domain/quota-window.ts';
import { limitHeaders, longestWait } from '../domain/quota-window-headers.ts';
import type { UseReading } from '../domain/quota-window-use.ts';
import type { Instant } from '../platform/instant.ts';

/**
 * Counts requests against the limits of a customer's plan. All of a customer's keys share one
 * count. A request counts either in every window that it costs or, if it is refused, in none.
 */
export interface QuotaMeter {
  /** Decides synchronously from memory, or asynchronously through the store. Never rejects. */
  consume(request: MeterRequest): MeterResult | Promise<MeterResult>;
}

/** A meter that counts in the background and writes pending counts when it stops. */
export interface RunningQuotaMeter extends QuotaMeter {
  /** Reloads counts that a command has reset in the store. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface MeterRequest {
  customerId: string;
  plan: ReadLimits;
  cost: Cost;
  now: Instant;
}

export type MeterResult = Admitted | Refused | Unavailable;

export interface Admitted {
  kind: 'admitted';
  /** Alternating header names and values. */
  headers: readonly string[];
  /** Refunds the day and month counts after a server error. A second call does nothing. */
  refund(): void | Promise<void>;
  /** Returns the headers after a refund. Undefined if a refund does not change them. */
  refundedHeaders?: () => readonly string[];
}

export interface Refused {
  kind: 'refused';
  /** `quota-exceeded` if the day or month is full, otherwise `rate-limited`. */
  code: 'rate-limited' | 'quota-exceeded';
  /** Every full window that the request costs, shortest first. */
  violated: readonly QuotaWindow[];
  /** The full window that resets last. */
  window: QuotaWindow;
  /** Limit of `window`. */
  limit: number;
  /** Time at which `window` resets. */
  resetAt: Instant;
  /** Seconds until `resetAt`, rounded up. */
  retryAfterSeconds: number;
  headers: readonly string[];
}

/** The request could not be counted and must not be served. */
export interface Unavailable {
  kind: 'unavailable';
  retryAfterSeconds: number;
}

export const UNAVAILABLE: Unavailable = { kind: 'unavailable', retryAfterSeconds: 5 };

/** Refuses a request because of the given full windows, of which there must be at least one. */
export function refuse(facts: {
  plan: ReadLimits;
  violated: readonly QuotaWindow[];
  reading: UseReading;
  moment: { now: Instant; period: QuotaPeriod };
}): Refused {
  const { plan, violated, reading, moment } = facts;
  const isMinuteOnly = violated.length === 1 && violated[0] === 'minute';
  return {
    kind: 'refused',
    code: isMinuteOnly ? 'rate-limited' : 'quota-exceeded',
    violated,
    ...longestWait(plan, violated, reading, moment),
    headers: limitHeaders(plan, reading, moment),
  };
}
