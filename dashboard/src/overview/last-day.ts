import type { UsageRow } from '../api/calls.gen.ts';
import { startOfStep } from '../format/new-york.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

export interface LastDay {
  /** Request counts by hour. The current hour is last. */
  hours: number[];
  total: number;
  /** The number of requests with a 4xx or 5xx status. */
  failed: number;
}

/** Sums up rows by hour and status class over the last 24 hours. */
export function lastDayOf(rows: readonly UsageRow[], now: number): LastDay {
  const first = startOfStep(now, 'hour') - (HOURS - 1) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, () => 0);
  let failed = 0;
  for (const { at, name, requests } of rows) {
    const index = (Date.parse(at) - first) / HOUR_MS;
    const count = hours[index];
    if (count === undefined) continue;
    hours[index] = count + requests;
    if (name === '4xx' || name === '5xx') failed += requests;
  }
  return { hours, total: hours.reduce((sum, count) => sum + count, 0), failed };
}
