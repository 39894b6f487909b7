import { addDays, newYorkDate } from './time.ts';

const HOUR_MS = 3_600_000;

/** The start of a civil date in New York, in epoch milliseconds. */
export function newYorkMidnight(date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Midnight is 04:00 or 05:00 UTC. In winter, 04:00 UTC is still the day before.
  const early = utc + 4 * HOUR_MS;
  return newYorkDate(new Date(early)) === date ? early : utc + 5 * HOUR_MS;
}

/** The unit of time series: UTC hours or New York days. */
export type Step = 'hour' | 'day';

/** The start of the hour or day that contains an instant. */
export function startOfStep(at: number, step: Step): number {
  return step === 'hour'
    ? Math.floor(at / HOUR_MS) * HOUR_MS
    : newYorkMidnight(newYorkDate(new Date(at)));
}

/**
 * The starts of all hours or New York days between two instants, including the one that contains
 * `from`.
 */
export function stepsBetween(from: number, to: number, step: Step): number[] {
  const steps: number[] = [];
  let at = startOfStep(from, step);
  while (at < to) {
    steps.push(at);
    at = step === 'hour' ? at + HOUR_MS : newYorkMidnight(addDays(newYorkDate(new Date(at)), 1));
  }
  return steps;
}
