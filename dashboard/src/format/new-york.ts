import { addDays, newYorkDate } from './time.ts';

const HOUR_MS = 3_600_000;

/** The instant at which a civil day begins in New York, in milliseconds. */
export function newYorkMidnight(date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Midnight there is 04:00 or 05:00 UTC: the earlier one belongs to the day before in winter.
  const early = utc + 4 * HOUR_MS;
  return newYorkDate(new Date(early)) === date ? early : utc + 5 * HOUR_MS;
}

/** The hours and days in which things are counted: hours of UTC, or New York days. */
export type Step = 'hour' | 'day';

/** Where the hour or day begins that an instant is in. */
export function startOfStep(at: number, by: Step): number {
  return by === 'hour'
    ? Math.floor(at / HOUR_MS) * HOUR_MS
    : newYorkMidnight(newYorkDate(new Date(at)));
}

/** Every hour or New York day from one instant up to another, the first one whole; days have 23 to 25 hours. */
export function stepsBetween(from: number, to: number, by: Step): number[] {
  const steps: number[] = [];
  let at = startOfStep(from, by);
  while (at < to) {
    steps.push(at);
    at = by === 'hour' ? at + HOUR_MS : newYorkMidnight(addDays(newYorkDate(new Date(at)), 1));
  }
  return steps;
}
