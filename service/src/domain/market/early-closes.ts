import { addDays, dayOf, type LocalDate, monthOf, weekdayOf, yearOf } from '../local-date.ts';
import { clockTime } from './clock-time.ts';
import { nthWeekday } from './year-dates.ts';

export interface EarlyClose {
  /** Minutes since midnight, New York time. */
  close: number;
  name: string;
}

const TWO = clockTime('14:00');
const ONE_PM = clockTime('13:00');
const MONDAY = 1;
const TUESDAY = 2;
const WEDNESDAY = 3;
const THURSDAY = 4;
const FRIDAY = 5;

/** Early closes announced with the year's calendar that aren't part of a permanent rule. */
const ONCE = new Map<string, EarlyClose>([
  ['1996-07-05', { close: ONE_PM, name: 'Day after Independence Day' }],
  ['1997-12-26', { close: ONE_PM, name: 'Day after Christmas' }],
  ['1999-12-31', { close: ONE_PM, name: "New Year's Eve" }],
  ['2002-07-05', { close: ONE_PM, name: 'Day after Independence Day' }],
  ['2003-12-26', { close: ONE_PM, name: 'Day after Christmas' }],
]);

/**
 * Returns a weekday's early close under the yearly rules, or null for most days. Don't call it for
 * holidays: 24 December and 3 July are themselves holidays when the actual holiday is on a
 * Saturday.
 */
export function scheduledEarlyClose(date: LocalDate): EarlyClose | null {
  const year = yearOf(date);
  const close =
    dayAfterThanksgiving(date, year) ?? christmasEve(date, year) ?? independenceEve(date, year);
  return close ?? ONCE.get(date) ?? null;
}

function dayAfterThanksgiving(date: LocalDate, year: number): EarlyClose | null {
  if (year < 1992 || monthOf(date) !== 11) return null;
  if (date !== addDays(nthWeekday(year, 11, THURSDAY, 4), 1)) return null;
  return { close: year === 1992 ? TWO : ONE_PM, name: 'Day after Thanksgiving' };
}

const CHRISTMAS_EVES_UNTIL_TWO: readonly number[] = [1974, 1975, 1990, 1991, 1992];

function christmasEve(date: LocalDate, year: number): EarlyClose | null {
  if (monthOf(date) !== 12 || dayOf(date) !== 24) return null;
  const weekday = weekdayOf(date);
  if (weekday < MONDAY || weekday > THURSDAY) return null;
  if (CHRISTMAS_EVES_UNTIL_TWO.includes(year)) return { close: TWO, name: 'Christmas Eve' };
  return year >= 1996 ? { close: ONE_PM, name: 'Christmas Eve' } : null;
}

/**
 * Returns the early close on 3 July, depending on the weekday of the 4th. In 1996 and 2002, when
 * the 4th was a Thursday, the early close was on Friday the 5th instead.
 */
function independenceEve(date: LocalDate, year: number): EarlyClose | null {
  if (year < 1995 || monthOf(date) !== 7 || dayOf(date) !== 3) return null;
  const fourth = (weekdayOf(date) + 1) % 7;
  const closesEarly =
    fourth === TUESDAY ||
    fourth === WEDNESDAY ||
    fourth === FRIDAY ||
    (fourth === THURSDAY && year >= 2013);
  return closesEarly ? { close: ONE_PM, name: 'Day before Independence Day' } : null;
}
