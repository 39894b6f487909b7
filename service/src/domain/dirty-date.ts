import { DirtyValueError, isEmptyMark } from './dirty-value-error.ts';
import {
  lastDayOfMonth,
  type LocalDate,
  makeLocalDate,
  parseLocalDate,
  weekdayOf,
} from './local-date.ts';
import { monthNumber } from './month-number.ts';

/**
 * Parsers for dates as sources write them. Each format has its own strict function, which accepts
 * only real days from 1900 to 2100. Placeholders for "no value" return null. Anything else throws a
 * `DirtyValueError`. A calendar date is never derived from an instant. Test vectors:
 * `vectors/dirty-values/dates.json`.
 */

export interface YearMonth {
  year: number;
  /** From 1 to 12. */
  month: number;
}

const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** Parses `7/01/2024`, `07/01/2024` or `7/1/2024`: month first, with or without leading zeros. */
export function parseSlashDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[3], Number(match?.[1]), match?.[2]);
  if (date === null) throw new DirtyValueError('date', 'month/day/year date', text);
  return date;
}

/** Parses `Mon, Jul 1, 2024`. Throws if the weekday doesn't match the date. */
export function parseWeekdayDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const match = /^([A-Z][a-z]{2}), ([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[4], monthNumber(match?.[2]), match?.[3]);
  if (date === null || WEEKDAYS[weekdayOf(date)] !== match?.[1]) {
    throw new DirtyValueError('date', 'weekday date', text);
  }
  return date;
}

/** Parses `Oct 29, 2026`. */
export function parseMonthDayYear(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const match = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[3], monthNumber(match?.[1]), match?.[2]);
  if (date === null) throw new DirtyValueError('date', 'month, day and year', text);
  return date;
}

/** Parses `2024-07-01`. */
export function parseIsoDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const date = parseLocalDate(text.trim());
  if (date === null) throw new DirtyValueError('date', 'ISO date', text);
  return date;
}

/** Parses `May/2024` or `Jul 2026`, a month without a day. */
export function parseMonthYear(text: string): YearMonth | null {
  if (isEmptyMark(text)) return null;
  const match = /^([A-Z][a-z]{2})[/ ](\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[2], monthNumber(match?.[1]), '1');
  if (date === null) throw new DirtyValueError('date', 'month and year', text);
  return { year: Number(match?.[2]), month: monthNumber(match?.[1]) };
}

/** Returns the last day of the month, which represents a period known only by its month. */
export function monthEnd({ year, month }: YearMonth): LocalDate {
  return lastDayOfMonth(year, month);
}

function makeDate(year: string | undefined, month: number, day: string | undefined) {
  return makeLocalDate(Number(year), month, Number(day));
}
