import type { Instant } from '../../platform/instant.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay before attempt 1, 2, … 12, about 76 hours in all. */
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

/** Attempts that had an outcome, at most. */
export const ATTEMPTS_MAX = ATTEMPT_DELAYS_MS.length;

/** Attempts cut off by the end of a process or of its lease, at most. */
export const INTERRUPTED_ATTEMPTS_MAX = 24;

const JITTER_SHARE = 0.2;
const JITTER_MS_MAX = 15 * MINUTE;
/** A receiver that is too busy to answer is not asked again sooner. */
const BUSY_DELAY_MS_MIN = MINUTE;
const RETRY_AFTER_MS_MAX = 24 * HOUR;
const BUSY_STATUSES = new Set([429, 502, 504]);

/** What failed, as far as the time of the next attempt depends on it. */
export interface FailedAttempt {
  /** Attempts with an outcome so far, this one included: 1 or more. */
  outcomeCount: number;
  at: Instant;
  /** Null when no answer came. */
  status: number | null;
  isTimeout: boolean;
  /** The instant that the answer's `Retry-After` names; null when it has none that can be read. */
  retryAfter: Instant | null;
}

/** Before this it is not tried again, whatever else would have it so. */
export function earliestAttemptAt(failed: Omit<FailedAttempt, 'outcomeCount'>): Instant {
  const { at, retryAfter } = failed;
  const requestedAt = retryAfter === null ? at : Math.min(retryAfter, at + RETRY_AFTER_MS_MAX);
  return Math.max(at + (isBusy(failed) ? BUSY_DELAY_MS_MIN : 0), requestedAt);
}

function isBusy({ isTimeout, status }: Pick<FailedAttempt, 'isTimeout' | 'status'>): boolean {
  return isTimeout || (status !== null && BUSY_STATUSES.has(status));
}

/**
 * When to try again: never before the delay has passed, up to a fifth later (`draw` is from 0 up to
 * 1), and not before the receiver asked for.
 */
export function nextAttemptAt(failed: FailedAttempt, draw: number): Instant {
  const { outcomeCount: outcomeCount, at } = failed;
  const planned = ATTEMPT_DELAYS_MS[outcomeCount] ?? ATTEMPT_DELAYS_MS.at(-1) ?? 0;
  const delayMs = Math.max(planned, isBusy(failed) ? BUSY_DELAY_MS_MIN : 0);
  const jitterMs = Math.min(delayMs * JITTER_SHARE * draw, JITTER_MS_MAX);
  return Math.max(Math.ceil(at + delayMs + jitterMs), earliestAttemptAt(failed));
}
