import type { Instant } from '../platform/instant.ts';
import { describeValue, DirtyValueError, isEmptyMark } from './dirty-value-error.ts';
import {
  lastDayOfMonth,
  type LocalDate,
  makeLocalDate,
  parseLocalDate,
  weekdayOf,
} from './local-date.ts';
import { newYorkInstant } from './new-york.ts';

/**
 * Parsers of dates as sources write them: one strict function per format, real days of 1900 to 2100
 * only. Marks for "no value" return null. Anything else throws a `DirtyValueError`. A calendar date
 * is never derived from an instant. Test vectors: `vectors/dirty-values/dates.json`.
 */

export interface YearMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** `7/01/2024`, `07/01/2024`, `7/1/2024`: American order, any padding. */
export function parseSlashDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[3], Number(match?.[1]), match?.[2]);
  if (date === null) throw new DirtyValueError('date', 'month/day/year date', text);
  return date;
}

/** `Mon, Jul 1, 2024`. Throws if the weekday doesn't match the date. */
export function parseWeekdayDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const match = /^([A-Z][a-z]{2}), ([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[4], monthNumber(match?.[2]), match?.[3]);
  if (date === null || WEEKDAYS[weekdayOf(date)] !== match?.[1]) {
    throw new DirtyValueError('date', 'weekday date', text);
  }
  return date;
}

/** `2024-07-01`. */
export function parseIsoDate(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const date = parseLocalDate(text.trim());
  if (date === null) throw new DirtyValueError('date', 'ISO date', text);
  return date;
}

/** `May/2024` or `Jul 2026`: a month without a day. */
export function parseMonthYear(text: string): YearMonth | null {
  if (isEmptyMark(text)) return null;
  const match = /^([A-Z][a-z]{2})[/ ](\d{4})$/.exec(text.trim());
  const date = makeDate(match?.[2], monthNumber(match?.[1]), '1');
  if (date === null) throw new DirtyValueError('date', 'month and year', text);
  return { year: Number(match?.[2]), month: monthNumber(match?.[1]) };
}

/** The last day of that month, which stands for a period known only by month. */
export function monthEnd({ year, month }: YearMonth): LocalDate {
  return lastDayOfMonth(year, month);
}

/** `Feb 23, 2026 04:00 AM ET`: a New York clock time. */
export function parseEasternTime(text: string): Instant | null {
  if (isEmptyMark(text)) return null;
  const shape = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) (\d{1,2}):(\d{2}) ([AP])M ET$/;
  const match = shape.exec(text.trim());
  const date = makeDate(match?.[3], monthNumber(match?.[1]), match?.[2]);
  const hour = Number(match?.[4]);
  const minute = Number(match?.[5]);
  if (date === null || !(hour >= 1 && hour <= 12 && minute <= 59)) {
    throw new DirtyValueError('date', 'Eastern time', text);
  }
  const hour24 = (hour % 12) + (match?.[6] === 'P' ? 12 : 0);
  return newYorkInstant(date, hour24 * 60 + minute);
}

/** Whole seconds since 1970 of the years 1970 to 2100, as JSON numbers. */
export function parseEpochSeconds(value: unknown): Instant | null {
  if (value === null || value === undefined) return null;
  const top = Date.UTC(2101, 0, 1) / 1000;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= top) {
    throw new DirtyValueError('date', 'epoch seconds', describeValue(value));
  }
  return value * 1000;
}

function monthNumber(name: string | undefined): number {
  return MONTHS.indexOf(name ?? '') + 1;
}

function makeDate(year: string | undefined, month: number, day: string | undefined) {
  return makeLocalDate(Number(year), month, Number(day));
}
