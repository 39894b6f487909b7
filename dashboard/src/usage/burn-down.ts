import type { Quota, UsageRow } from '../api/calls.gen.ts';
import { startOfStep, type Step, stepsBetween } from '../format/new-york.ts';
import { windowStart } from '../overview/pace.ts';

/** The statuses that count against daily and monthly quotas: 200, and 404 for an unknown symbol. */
const COUNTED = new Set(['200', '404']);

export interface BurnPoint {
  /** The end of an hour or day. */
  at: number;
  /** Cumulative usage, or null for a time in the future. */
  used: number | null;
  /** Cumulative usage if it were spread evenly over the window. */
  even: number;
}

export function stepOf({ window }: Quota): Step {
  return window === 'day' ? 'hour' : 'day';
}

/**
 * Returns the cumulative usage over a quota's window, next to even usage. `rows` are grouped by
 * status. The line ends at the quota counter, which is exact. The rows can differ from it, for
 * example because a downgrade resets the counter.
 */
export function burnDown(quota: Quota, rows: readonly UsageRow[], now: number): BurnPoint[] {
  const unit = stepOf(quota);
  const start = windowStart(quota);
  const end = Date.parse(quota.resetAt);
  const counted = countsByStep(rows, unit);
  const total = [...counted]
    .filter(([at]) => at >= start)
    .reduce((sum, [, requests]) => sum + requests, 0);
  const points: BurnPoint[] = [{ at: start, used: Math.max(0, quota.used - total), even: 0 }];
  const steps = stepsBetween(start, end, unit);
  let sum = 0;
  for (const [index, step] of steps.entries()) {
    const stepEnd = steps[index + 1] ?? end;
    sum += counted.get(step) ?? 0;
    const even = (quota.limit * (stepEnd - start)) / (end - start);
    const used = step > now ? null : Math.max(0, quota.used - (total - sum));
    points.push({ at: stepEnd, used, even: Math.round(even * 10) / 10 });
  }
  return points;
}

function countsByStep(rows: readonly UsageRow[], unit: Step): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { at, name, requests } of rows) {
    if (!COUNTED.has(name)) continue;
    const step = startOfStep(Date.parse(at), unit);
    counts.set(step, (counts.get(step) ?? 0) + requests);
  }
  return counts;
}
