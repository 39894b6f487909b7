/**
 * A calendar date without a time zone, `YYYY-MM-DD`. Text order is date order. Only the functions
 * below create one.
 */
export type LocalDate = string & { readonly __brand: 'LocalDate' };

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Parses `YYYY-MM-DD`. Returns null unless it is a real day in the years 1900–2100. */
export function parseLocalDate(text: string): LocalDate | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  return makeLocalDate(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Returns the date for a year, month (1–12) and day of the month, or null if it doesn't exist. */
export function makeLocalDate(year: number, month: number, day: number): LocalDate | null {
  if (!(year >= 1900 && year <= 2100)) return null;
  const at = new Date(Date.UTC(year, month - 1, day));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  return at.toISOString().slice(0, 10) as LocalDate;
}

/** Parses a date literal in code. Throws if the day doesn't exist. */
export function localDate(text: string): LocalDate {
  const date = parseLocalDate(text);
  if (date === null) throw new RangeError(`not a date: ${text}`);
  return date;
}

/** Returns the number of days since 1970-01-01, which is negative before that day. */
export function toEpochDay(date: LocalDate): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/**
 * Returns the date `epochDay` days after 1970-01-01. `epochDay` must be an integer, and the
 * resulting year must have four digits.
 */
export function fromEpochDay(epochDay: number): LocalDate {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10) as LocalDate;
}

/** Adds days to a date. Negative `days` go backwards. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return fromEpochDay(toEpochDay(date) + days);
}

/**
 * Adds calendar months to a date. If the target month doesn't have the day, returns the month's
 * last day.
 */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const total = yearOf(date) * 12 + (monthOf(date) - 1) + months;
  const year = Math.floor(total / 12);
  const month = (total % 12) + 1;
  const day = Math.min(dayOf(date), daysInMonth(year, month));
  return fromEpochDay(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** Returns the number of days from `from` to `to`, which is positive if `to` is later. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return toEpochDay(to) - toEpochDay(from);
}

/** Returns the weekday, from 0 (Sunday) to 6 (Saturday). */
export function weekdayOf(date: LocalDate): number {
  return (((toEpochDay(date) + 4) % 7) + 7) % 7;
}

export function yearOf(date: LocalDate): number {
  return Number(date.slice(0, 4));
}

export function monthOf(date: LocalDate): number {
  return Number(date.slice(5, 7));
}

export function dayOf(date: LocalDate): number {
  return Number(date.slice(8, 10));
}

/** Returns the number of days in a month. `month` is 1 to 12, here and below. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function lastDayOfMonth(year: number, month: number): LocalDate {
  return fromEpochDay(Date.UTC(year, month, 0) / DAY_MS);
}
