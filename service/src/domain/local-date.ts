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
  return Date.UTC(yearOf(date), monthOf(date) - 1, dayOf(date)) / DAY_MS;
}

/**
 * Dates by number of days since 1900-01-01, filled on demand: formatting one takes many times as
 * long as finding it here, and a merge formats tens of thousands.
 */
const datesSince1900: LocalDate[] = [];
const EPOCH_DAY_OF_1900 = Date.UTC(1900, 0, 1) / DAY_MS;
const EPOCH_DAY_OF_2101 = Date.UTC(2101, 0, 1) / DAY_MS;

/**
 * Returns the date `epochDay` days after 1970-01-01. `epochDay` must be an integer, and the
 * resulting year must have four digits.
 */
export function fromEpochDay(epochDay: number): LocalDate {
  if (epochDay < EPOCH_DAY_OF_1900 || epochDay >= EPOCH_DAY_OF_2101) return format(epochDay);
  return (datesSince1900[epochDay - EPOCH_DAY_OF_1900] ??= format(epochDay));
}

function format(epochDay: number): LocalDate {
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
  return digitsIn(date, 0) * 100 + digitsIn(date, 2);
}

export function monthOf(date: LocalDate): number {
  return digitsIn(date, 5);
}

export function dayOf(date: LocalDate): number {
  return digitsIn(date, 8);
}

/** Returns the number in the two digits at an index, without creating a text. */
function digitsIn(date: LocalDate, index: number): number {
  return date.charCodeAt(index) * 10 + date.charCodeAt(index + 1) - 11 * DIGIT_ZERO;
}

const DIGIT_ZERO = '0'.charCodeAt(0);

/** Returns the number of days in a month. `month` is 1 to 12, here and below. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function lastDayOfMonth(year: number, month: number): LocalDate {
  return fromEpochDay(Date.UTC(year, month, 0) / DAY_MS);
}
