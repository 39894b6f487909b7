import { addDays, newYorkDate } from './time.ts';

const HOUR_MS = 3_600_000;

/** Returns the start of a civil date in New York, in epoch milliseconds. */
export function newYorkMidnight(date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Midnight in New York is at 04:00 or 05:00 UTC. In winter, 04:00 UTC is still the previous day.
  const early = utc + 4 * HOUR_MS;
  return newYorkDate(new Date(early)) === date ? early : utc + 5 * HOUR_MS;
}

/** The step of a time series: a UTC hour or a New York day. */
export type Step = 'hour' | 'day';

/** Returns the start of the hour or day that contains `at`. */
export function startOfStep(at: number, step: Step): number {
  return step === 'hour'
    ? Math.floor(at / HOUR_MS) * HOUR_MS
    : newYorkMidnight(newYorkDate(new Date(at)));
}

/**
 * Returns the starts of all hours or New York days between `from` and `to`, including the one that
 * contains `from`.
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
