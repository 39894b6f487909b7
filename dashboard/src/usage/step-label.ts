import type { Step } from '../format/new-york.ts';
import { formatDay, newYorkDate } from '../format/time.ts';

const hour = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/New_York',
});
const hourOnly = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'America/New_York',
});
const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'America/New_York',
});

/**
 * Returns the full label for an hour (`Nov 21, 14:00`) or day (`Sat, Nov 21`), in New York time.
 */
export function stepLabel(at: number, step: Step): string {
  return step === 'hour' ? hour.format(at) : formatDay(newYorkDate(new Date(at)));
}

/** Returns a short label for the axis. */
export function stepTick(at: number, step: Step): string {
  return step === 'hour' ? hourOnly.format(at) : day.format(at);
}

/** Formats a day as `Nov 21`, in New York time. */
export function dayTick(at: number): string {
  return day.format(at);
}
