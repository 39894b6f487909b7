import type { UsageRow } from '../api/calls.gen.ts';
import { startOfStep } from '../format/new-york.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Returns the start of the last 24 hours, including the current hour. */
export function firstHour(now: number): string {
  return new Date(startOfStep(now, 'hour') - (HOURS - 1) * HOUR_MS).toISOString();
}

export interface Hour {
  at: string;
  /** Counts by name. Names without rows have a count of zero. */
  figures: Readonly<Record<string, number>>;
}

/** Returns the last 24 hours, oldest first, including hours without rows. */
export function byHour(
  rows: readonly Pick<UsageRow, 'at' | 'name' | 'requests'>[],
  names: readonly string[],
  now: number,
): Hour[] {
  const first = Date.parse(firstHour(now));
  return Array.from({ length: HOURS }, (_none, index) => {
    const start = first + index * HOUR_MS;
    const inside = rows.filter(({ at }) => startOfStep(Date.parse(at), 'hour') === start);
    const figures = Object.fromEntries(
      names.map((name) => [
        name,
        inside.reduce((sum, row) => sum + (row.name === name ? row.requests : 0), 0),
      ]),
    );
    return { at: new Date(start).toISOString(), figures };
  });
}
