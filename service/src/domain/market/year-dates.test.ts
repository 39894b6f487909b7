import { expect, test } from 'vitest';
import { weekdayOf } from '../local-date.ts';
import { dateIn, easterSunday, lastWeekday, nthWeekday } from './year-dates.ts';

test.each([
  [1954, '1954-04-18'],
  [1970, '1970-03-29'],
  [1981, '1981-04-19'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2011, '2011-04-24'],
  [2024, '2024-03-31'],
  [2026, '2026-04-05'],
  [2030, '2030-04-21'],
  [2038, '2038-04-25'],
  [2076, '2076-04-19'],
])('computes Easter in %i as %s', (year, date) => {
  expect(easterSunday(year)).toBe(date);
});

test('places Easter on a Sunday from 22 March to 25 April in every year', () => {
  for (let year = 1583; year <= 4099; year++) {
    const easter = easterSunday(year);
    expect(weekdayOf(easter)).toBe(0);
    expect(easter >= dateIn(year, 3, 22) && easter <= dateIn(year, 4, 25)).toBe(true);
  }
});

test.each([
  [nthWeekday(2026, 11, 4, 4), '2026-11-26'],
  [nthWeekday(2026, 6, 1, 1), '2026-06-01'],
  [nthWeekday(2023, 9, 1, 1), '2023-09-04'],
  [lastWeekday(2026, 5, 1), '2026-05-25'],
  [lastWeekday(2021, 5, 1), '2021-05-31'],
  [lastWeekday(2024, 12, 2), '2024-12-31'],
])('finds the requested weekday in a month: %s', (weekday, expected) => {
  expect(weekday).toBe(expected);
});
