import type { Step } from '../../format/new-york.ts';
import { formatNewYorkTime, newYorkDate } from '../../format/time.ts';

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' });

/** Formats an hour as `09:00` or `Fri 09:00` in local time, and a New York day as `11-20`. */
export function sliceName(at: string, step: Step, hasDay = false): string {
  if (step === 'day') return newYorkDate(new Date(at)).slice(5);
  const start = new Date(at);
  const hour = String(start.getHours()).padStart(2, '0');
  const time = `${hour}:${String(start.getMinutes()).padStart(2, '0')}`;
  return hasDay ? `${weekday.format(start)} ${time}` : time;
}

/** Returns the full name of an hour or day for tables, with New York time. */
export function sliceTitle(at: string, step: Step): string {
  if (step === 'day') return newYorkDate(new Date(at));
  return `${sliceName(at, step)} (${formatNewYorkTime(at)} New York)`;
}
