import { expect, test } from 'vitest';
import { readCalendarSearch, readSymbols, weekOf } from './calendar-search.ts';

const FRIDAY_EVENING = Date.parse('2026-11-21T03:00:00Z');
const SATURDAY = Date.parse('2026-11-21T15:00:00Z');

test('without a day the week is that of New York, and weekends look ahead', () => {
  expect(weekOf(undefined, FRIDAY_EVENING)).toEqual({
    monday: '2026-11-16',
    friday: '2026-11-20',
    sunday: '2026-11-22',
    chosen: '2026-11-20',
  });
  expect(weekOf(undefined, SATURDAY).monday).toBe('2026-11-23');
});

test('a weekend that is asked for shows the week before it, with its Friday chosen', () => {
  expect(weekOf('2026-11-22', SATURDAY)).toMatchObject({
    monday: '2026-11-16',
    chosen: '2026-11-20',
  });
});

test('what the address says wrongly is left out', () => {
  const read = readCalendarSearch({
    calendar: 'moon',
    date: '2026-02-30',
    day: 7,
    symbols: '',
    sure: 'yes',
  });
  expect(Object.values(read).filter((value) => value !== undefined)).toEqual([]);
});

test('a find of digits is text', () => {
  expect(readCalendarSearch({ find: 365 }).find).toBe('365');
});

test('symbols are read with anything between them, each once', () => {
  expect(readSymbols(' aapl; BRK.B\n"msft"\tAAPL|bac-pk')).toEqual([
    'AAPL',
    'BRK.B',
    'MSFT',
    'BAC-PK',
  ]);
});
