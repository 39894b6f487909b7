import { addDays, fromEpochDay, type LocalDate, weekdayOf } from '../local-date.ts';

/** Date functions for holiday rules that repeat yearly. Weekdays are numbered from 0 (Sunday). */

const DAY_MS = 86_400_000;

/**
 * Returns a day that is known to exist. Unlike a parsed date, it may be after 2100, because rules
 * look ahead.
 */
export function dateIn(year: number, month: number, day: number): LocalDate {
  return fromEpochDay(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** Returns the `nth` occurrence (from 1) of a weekday in a month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): LocalDate {
  const first = dateIn(year, month, 1);
  const toFirst = (weekday - weekdayOf(first) + 7) % 7;
  return addDays(first, toFirst + (nth - 1) * 7);
}

/** Returns the last occurrence of a weekday in a month. */
export function lastWeekday(year: number, month: number, weekday: number): LocalDate {
  const last = dateIn(year, month + 1, 0);
  return addDays(last, -((weekdayOf(last) - weekday + 7) % 7));
}

/**
 * Returns Easter Sunday in the Gregorian calendar, which is the Sunday after the first
 * ecclesiastical full moon on or after 21 March, according to the tables of 1582. Uses Gauss's
 * algorithm, which is exact from 1583 on.
 */
export function easterSunday(year: number): LocalDate {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const skippedLeapDays = century - Math.floor(century / 4);
  const moonDrift = Math.floor((8 * century + 13) / 25);
  const toFullMoon = (skippedLeapDays - moonDrift + 19 * golden + 15) % 30;
  // The tables place two full moons a day early, so that none repeats within a 19-year cycle.
  const comesSooner = toFullMoon === 29 || (toFullMoon === 28 && golden > 10);
  const fullMoon = addDays(dateIn(year, 3, 21), comesSooner ? toFullMoon - 1 : toFullMoon);
  return addDays(fullMoon, 7 - weekdayOf(fullMoon));
}
