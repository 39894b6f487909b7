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

/** An hour or day in full, in New York: `Nov 21, 14:00`, `Sat, Nov 21`. */
export function labelOfStep(at: number, by: Step): string {
  return by === 'hour' ? hour.format(at) : formatDay(newYorkDate(new Date(at)));
}

/** The same as short as an axis wants it. */
export function tickOfStep(at: number, by: Step): string {
  return by === 'hour' ? hourOnly.format(at) : day.format(at);
}

/** `Nov 21` of any instant, New York. */
export function tickOfDay(at: number): string {
  return day.format(at);
}
