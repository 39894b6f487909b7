import { addDays, fromEpochDay, type LocalDate, weekdayOf } from '../local-date.ts';

/** Dates for yearly rules. Weekdays count from 0, Sunday. */

const DAY_MS = 86_400_000;

/**
 * A day that exists in every year. Unlike parsed dates it may be after 2100, because rules look
 * ahead.
 */
export function dateIn(year: number, month: number, day: number): LocalDate {
  return fromEpochDay(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** The `nth` (from 1) weekday of the month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): LocalDate {
  const first = dateIn(year, month, 1);
  const toFirst = (weekday - weekdayOf(first) + 7) % 7;
  return addDays(first, toFirst + (nth - 1) * 7);
}

/** The last such weekday of the month. */
export function lastWeekday(year: number, month: number, weekday: number): LocalDate {
  const last = dateIn(year, month + 1, 0);
  return addDays(last, -((weekdayOf(last) - weekday + 7) % 7));
}

/**
 * Easter Sunday of the Gregorian calendar: the Sunday after the ecclesiastical full moon, which is
 * the first on or after 21 March by the tables of 1582, computed by Gauss's algorithm. Exact for
 * 1583 and later.
 */
export function easterSunday(year: number): LocalDate {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const skippedLeapDays = century - Math.floor(century / 4);
  const moonDrift = Math.floor((8 * century + 13) / 25);
  const toFullMoon = (skippedLeapDays - moonDrift + 19 * golden + 15) % 30;
  // Two full moons of the tables are a day early, so that none repeats within a cycle of 19 years.
  const comesSooner = toFullMoon === 29 || (toFullMoon === 28 && golden > 10);
  const fullMoon = addDays(dateIn(year, 3, 21), comesSooner ? toFullMoon - 1 : toFullMoon);
  return addDays(fullMoon, 7 - weekdayOf(fullMoon));
}
