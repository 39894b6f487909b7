import { expect, test } from 'vitest';
import { readCalendarSearch, readSymbols, weekOf } from './calendar-search.ts';

const FRIDAY_EVENING = Date.parse('2026-11-21T03:00:00Z');
const SATURDAY = Date.parse('2026-11-21T15:00:00Z');

test('shows the current New York week by default, or the next week on weekends', () => {
  expect(weekOf(undefined, FRIDAY_EVENING)).toEqual({
    monday: '2026-11-16',
    friday: '2026-11-20',
    sunday: '2026-11-22',
    selected: '2026-11-20',
  });
  expect(weekOf(undefined, SATURDAY).monday).toBe('2026-11-23');
});

test('shows the week before a date on a weekend, with its Friday selected', () => {
  expect(weekOf('2026-11-22', SATURDAY)).toMatchObject({
    monday: '2026-11-16',
    selected: '2026-11-20',
  });
});

test('drops invalid calendar parameters from the URL', () => {
  const parsed = readCalendarSearch({
    calendar: 'moon',
    date: '2026-02-30',
    day: 7,
    symbols: '',
    sure: 'yes',
  });
  expect(Object.values(parsed).filter((value) => value !== undefined)).toEqual([]);
});

test("accepts a number as the calendar's search term", () => {
  expect(readCalendarSearch({ find: 365 }).find).toBe('365');
});

test('keeps references to watchlists among pasted symbols', () => {
  expect(readSymbols('@My-List_2, aapl')).toEqual(['@my-list_2', 'AAPL']);
});

test('splits pasted symbols at any separator and removes duplicates', () => {
  expect(readSymbols(' aapl; BRK.B\n"msft"\tAAPL|bac-pk')).toEqual([
    'AAPL',
    'BRK.B',
    'MSFT',
    'BAC-PK',
  ]);
});
