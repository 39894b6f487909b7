import type { Quota, UsageRow } from '../api/calls.gen.ts';
import { startOfStep, type Step, stepsBetween } from '../format/new-york.ts';
import { windowStart } from '../overview/pace.ts';

/** Answers, and a symbol that is unknown. All else takes nothing of a day or month, or gives it back. */
const COUNTED = new Set(['200', '404']);

export interface BurnPoint {
  /** The end of an hour or day of the window. */
  at: number;
  /** Used up to then; null in the future. */
  used: number | null;
  /** What an even use would have come to. */
  even: number;
}

export function stepOf({ window }: Quota): Step {
  return window === 'day' ? 'hour' : 'day';
}

/**
 * A quota over its window: what was used up to each hour or day, against a straight line to the limit.
 * `rows` are by status. The counter of the quota is exact and the rows are not (a move to a smaller
 * plan counts anew), so the line of the use ends at the counter.
 */
export function burnDown(quota: Quota, rows: readonly UsageRow[], now: number): BurnPoint[] {
  const by = stepOf(quota);
  const start = windowStart(quota);
  const end = Date.parse(quota.resetAt);
  const counted = countsByStep(rows, by);
  const total = [...counted]
    .filter(([at]) => at >= start)
    .reduce((sum, [, requests]) => sum + requests, 0);
  const points: BurnPoint[] = [{ at: start, used: Math.max(0, quota.used - total), even: 0 }];
  const steps = stepsBetween(start, end, by);
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

function countsByStep(rows: readonly UsageRow[], by: Step): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { at, name, requests } of rows) {
    if (!COUNTED.has(name)) continue;
    const step = startOfStep(Date.parse(at), by);
    counts.set(step, (counts.get(step) ?? 0) + requests);
  }
  return counts;
}
