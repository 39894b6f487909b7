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

/** The full label of an hour or day, in New York time: `Nov 21, 14:00`, `Sat, Nov 21`. */
export function stepLabel(at: number, step: Step): string {
  return step === 'hour' ? hour.format(at) : formatDay(newYorkDate(new Date(at)));
}

/** A short axis label. */
export function stepTick(at: number, step: Step): string {
  return step === 'hour' ? hourOnly.format(at) : day.format(at);
}

/** `Nov 21`, in New York time. */
export function dayTick(at: number): string {
  return day.format(at);
}
