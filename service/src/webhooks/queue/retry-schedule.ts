import type { Instant } from '../../platform/instant.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before attempts 1 to 12, about 76 hours in total. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Maximum number of attempts with an outcome. */
export const ATTEMPTS_MAX = ATTEMPT_DELAYS_MS.length;

/** Maximum number of attempts whose outcome is unknown because the process or lease ended. */
export const INTERRUPTED_ATTEMPTS_MAX = 24;

const JITTER_SHARE = 0.2;
const JITTER_MS_MAX = 15 * MINUTE;
/** Minimum delay after a response or timeout that indicates an overloaded receiver. */
const BUSY_DELAY_MS_MIN = MINUTE;
const RETRY_AFTER_MS_MAX = 24 * HOUR;
const BUSY_STATUSES = new Set([429, 502, 504]);

/** The facts about a failed attempt that affect the time of the next one. */
export interface FailedAttempt {
  /** Number of attempts with an outcome so far, including this one. */
  outcomeCount: number;
  at: Instant;
  /** Null if there was no response. */
  status: number | null;
  isTimeout: boolean;
  /** Time given by the `Retry-After` header, or null if the header is missing or invalid. */
  retryAfter: Instant | null;
}

/**
 * Returns the earliest time at which the next attempt may be made, even if the endpoint recovers
 * before then.
 */
export function earliestAttemptAt(failed: Omit<FailedAttempt, 'outcomeCount'>): Instant {
  const { at, retryAfter } = failed;
  const requestedAt = retryAfter === null ? at : Math.min(retryAfter, at + RETRY_AFTER_MS_MAX);
  return Math.max(at + (isBusy(failed) ? BUSY_DELAY_MS_MIN : 0), requestedAt);
}

function isBusy({ isTimeout, status }: Pick<FailedAttempt, 'isTimeout' | 'status'>): boolean {
  return isTimeout || (status !== null && BUSY_STATUSES.has(status));
}

/**
 * Returns the time of the next attempt: the scheduled delay plus a jitter of up to a fifth (`draw`
 * is in [0, 1)), but not before the time that the receiver requested.
 */
export function nextAttemptAt(failed: FailedAttempt, draw: number): Instant {
  const { outcomeCount, at } = failed;
  const planned = ATTEMPT_DELAYS_MS[outcomeCount] ?? ATTEMPT_DELAYS_MS.at(-1) ?? 0;
  const delayMs = Math.max(planned, isBusy(failed) ? BUSY_DELAY_MS_MIN : 0);
  const jitterMs = Math.min(delayMs * JITTER_SHARE * draw, JITTER_MS_MAX);
  return Math.max(Math.ceil(at + delayMs + jitterMs), earliestAttemptAt(failed));
}
