import type { Quota } from '../api/calls.gen.ts';
import { newYorkMidnight } from '../format/new-york.ts';
import { newYorkDate } from '../format/time.ts';

/** Below this share of the window, a projection is meaningless. */
const SHARE_MIN = 0.02;

export interface Pace {
  /** Used share of the limit; may exceed 1 after a downgrade. */
  usedShare: number;
  /** Elapsed share of the window, 0 to 1. */
  elapsedShare: number;
  /** Projected usage at the end of the window; null if it is too early. */
  expected: number | null;
  /** Projected time at which the quota runs out; null if it won't. */
  fullAt: number | null;
}

/** The start of the quota's New York day or month. */
export function windowStart({ window, resetAt }: Quota): number {
  // An hour before the end is inside the window, even on days with a clock change.
  const lastDay = newYorkDate(new Date(Date.parse(resetAt) - 3_600_000));
  return newYorkMidnight(window === 'day' ? lastDay : `${lastDay.slice(0, 7)}-01`);
}

/** Projects the usage of a quota. */
export function paceOf(quota: Quota, now: number): Pace {
  const { used, limit } = quota;
  const start = windowStart(quota);
  const end = Date.parse(quota.resetAt);
  const elapsedShare = Math.min(1, Math.max(0, (now - start) / (end - start)));
  const usedShare = limit === 0 ? 1 : used / limit;
  if (elapsedShare < SHARE_MIN) return { usedShare, elapsedShare, expected: null, fullAt: null };
  const expected = Math.round(used / elapsedShare);
  const fullAt = expected > limit && used < limit ? start + (now - start) * (limit / used) : null;
  return { usedShare, elapsedShare, expected, fullAt };
}
