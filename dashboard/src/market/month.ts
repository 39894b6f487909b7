import { addDays, mondayOf } from '../format/time.ts';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Reads a search parameter such as `2026-11`. Returns null if it is invalid. */
export function readMonth(value: unknown): string | null {
  return typeof value === 'string' && MONTH.test(value) ? value : null;
}

/** Returns the first and last day shown for a month, in whole weeks from Monday to Sunday. */
export function spanOf(month: string): { from: string; to: string } {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  return { from: mondayOf(`${month}-01`), to: addDays(mondayOf(last), 6) };
}

/** Adds months to a month such as `2026-11`. */
export function addMonths(month: string, count: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** Returns the date, or the following Monday if the date is on a weekend. */
export function nextWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, day === 0 ? 1 : day === 6 ? 2 : 0);
}

const named = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a month as `November 2026`. */
export function formatMonth(month: string): string {
  return named.format(new Date(`${month}-01T00:00:00Z`));
}

/** Formats a date as `Monday, November 23, 2026`. */
export function formatLongDate(date: string): string {
  return long.format(new Date(`${date}T00:00:00Z`));
}
