import type { Quota } from '../api/calls.gen.ts';
import { newYorkMidnight } from '../format/new-york.ts';
import { newYorkDate } from '../format/time.ts';

/**
 * The smallest elapsed share of the window for which usage is projected. An earlier projection
 * would be meaningless.
 */
const SHARE_MIN = 0.02;

export interface Pace {
  /** The used share of the limit. May exceed 1 after a downgrade. */
  usedShare: number;
  /** The elapsed share of the window, from 0 to 1. */
  elapsedShare: number;
  /** The projected usage at the end of the window, or null if it is too early to tell. */
  expected: number | null;
  /** The projected time at which the quota runs out, or null if it won't run out. */
  fullAt: number | null;
}

/** Returns the start of the New York day or month that the quota covers. */
export function windowStart({ window, resetAt }: Quota): number {
  // One hour before the end is always within the window, even on days with a clock change.
  const lastDay = newYorkDate(new Date(Date.parse(resetAt) - 3_600_000));
  return newYorkMidnight(window === 'day' ? lastDay : `${lastDay.slice(0, 7)}-01`);
}

/** Projects how much of a quota will be used, and when it will run out. */
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
