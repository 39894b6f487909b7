import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, fromEpochDay, localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { clockTime } from './clock-time.ts';

const calendar = marketCalendar();
const anyDate = fc.integer({ min: 0, max: 22_279 }).map(fromEpochDay);

test.each([
  ['a Friday before a weekend', '2026-11-20', '2026-11-23', '2026-11-19'],
  ['a Saturday', '2026-11-21', '2026-11-23', '2026-11-20'],
  ['the day before Thanksgiving', '2026-11-25', '2026-11-27', '2026-11-24'],
  ['the last day of a year', '2026-12-31', '2027-01-04', '2026-12-30'],
  ['the Monday before 11 September 2001', '2001-09-10', '2001-09-17', '2001-09-07'],
  ['29 February', '2024-02-29', '2024-03-01', '2024-02-28'],
])('finds the next and previous trading day: %s', (_, date, next, previous) => {
  expect(calendar.nextTradingDay(localDate(date))).toBe(next);
  expect(calendar.previousTradingDay(localDate(date))).toBe(previous);
});

test('includes both ends when it lists the trading days in a range', () => {
  const week = calendar.tradingDays(localDate('2026-11-23'), localDate('2026-11-27'));
  expect(week).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-27']);
  expect(calendar.tradingDays(localDate('2026-11-27'), localDate('2026-11-23'))).toEqual([]);
});

test('counts trading days between two dates, excluding the first and including the last, in either direction', () => {
  const [friday, saturday, monday] = [
    localDate('2026-11-20'),
    localDate('2026-11-21'),
    localDate('2026-11-23'),
  ];
  expect(calendar.tradingDaysBetween(friday, monday)).toBe(1);
  expect(calendar.tradingDaysBetween(monday, friday)).toBe(-1);
  expect(calendar.tradingDaysBetween(saturday, monday)).toBe(1);
  expect(calendar.tradingDaysBetween(friday, friday)).toBe(0);
});

test('returns to the same trading day after moving by trading days and back', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -30, max: 30 }), (date, count) => {
      const start = calendar.nextTradingDay(date);
      const moved = calendar.addTradingDays(start, count);
      expect(calendar.addTradingDays(moved, -count)).toBe(start);
      expect(calendar.tradingDaysBetween(start, moved)).toBe(count);
    }),
    { numRuns: 500 },
  );
});

test('finds the next trading day after any day', () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const next = calendar.nextTradingDay(date);
      expect(next > date && calendar.isTradingDay(next)).toBe(true);
      for (let day = addDays(date, 1); day < next; day = addDays(day, 1)) {
        expect(calendar.isTradingDay(day)).toBe(false);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('marks trading calendar days after 2028 and before 1970 as projected', () => {
  const basisOf = (date: string) => calendar.day(localDate(date)).basis;
  expect(basisOf('1969-12-31')).toBe('projected');
  expect(basisOf('1970-01-01')).toBe('published');
  expect(basisOf('2028-12-31')).toBe('published');
  expect(basisOf('2029-01-01')).toBe('projected');
});

test('applies the market rules up to the last date that a request may contain', () => {
  expect(calendar.day(localDate('2100-12-24')).observedFor).toBe('2100-12-25');
  expect(calendar.day(localDate('2099-12-24')).close).toBe(clockTime('13:00'));
  expect(calendar.nextTradingDay(localDate('2100-12-31'))).toBe('2101-01-03');
  expect(calendar.previousTradingDay(localDate('1900-01-01'))).toBe('1899-12-29');
});
