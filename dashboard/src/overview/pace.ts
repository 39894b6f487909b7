import type { Quota } from '../api/calls.gen.ts';
import { newYorkMidnight } from '../format/new-york.ts';
import { newYorkDate } from '../format/time.ts';

/** Before so much of a window is over, its pace says nothing. */
const SHARE_MIN = 0.02;

export interface Pace {
  /** Used of the limit, from 0; may pass 1 after a move to a smaller plan. */
  usedShare: number;
  /** How much of the window is over, 0 to 1. */
  elapsedShare: number;
  /** What will be used at its end when it goes on so; null while it is too early to say. */
  expected: number | null;
  /** When it will be used up at this pace; null when it will not be. */
  fullAt: number | null;
}

/** When the New York day or month began that a quota counts. */
export function windowStart({ window, resetAt }: Quota): number {
  // An hour before its end is within the window, whatever clocks do.
  const lastDay = newYorkDate(new Date(Date.parse(resetAt) - 3_600_000));
  return newYorkMidnight(window === 'day' ? lastDay : `${lastDay.slice(0, 7)}-01`);
}

/** Where the use of a quota is going. */
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
