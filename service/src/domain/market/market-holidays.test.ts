import { expect, test } from 'vitest';
import { localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { clockTime } from './clock-time.ts';
import { deriveMarketHolidays } from './market-holidays.ts';

const calendar = marketCalendar();

test('lists the market holidays of 2026', () => {
  const lines = deriveMarketHolidays(calendar, { from: 2026, to: 2026 }).map((holiday) =>
    [holiday.date, holiday.weekday, holiday.status, holiday.close, holiday.name].join(' '),
  );
  expect(lines).toEqual([
    "2026-01-01 Thursday closed  New Year's Day",
    '2026-01-19 Monday closed  Martin Luther King Jr. Day',
    "2026-02-16 Monday closed  Washington's Birthday",
    '2026-04-03 Friday closed  Good Friday',
    '2026-05-25 Monday closed  Memorial Day',
    '2026-06-19 Friday closed  Juneteenth',
    '2026-07-03 Friday closed  Independence Day',
    '2026-09-07 Monday closed  Labor Day',
    '2026-11-26 Thursday closed  Thanksgiving Day',
    '2026-11-27 Friday early-close 13:00 Day after Thanksgiving',
    '2026-12-24 Thursday early-close 13:00 Christmas Eve',
    '2026-12-25 Friday closed  Christmas Day',
  ]);
});

test('returns the times of an early close in New York time and as an instant', () => {
  expect(find('2026-11-27')).toEqual({
    date: '2026-11-27',
    name: 'Day after Thanksgiving',
    status: 'early-close',
    isEarlyClose: true,
    open: '09:30',
    close: '13:00',
    closeAt: '2026-11-27T18:00:00Z',
    exchanges: ['NYSE', 'NASDAQ'],
    observedFor: null,
    kind: 'scheduled',
    basis: 'published',
    weekday: 'Friday',
  });
});

test.each([
  ['2026-07-03', '2026-07-04'],
  ['2022-12-26', '2022-12-25'],
  ['2023-01-02', '2023-01-01'],
  ['2022-06-20', '2022-06-19'],
  ['2026-09-07', null],
])('for the holiday observed on %s, returns the actual date %s', (date, observedFor) => {
  expect(find(date)?.observedFor).toBe(observedFor);
});

test("omits a New Year's Day on a Saturday from the market holidays", () => {
  const dates = deriveMarketHolidays(calendar, { from: 2027, to: 2028 }).map((each) => each.date);
  expect(dates.filter((date) => date >= '2027-12-27' && date <= '2028-01-16')).toEqual([]);
});

test('marks special closures as special, and holidays after 2028 as projected', () => {
  expect(find('2025-01-09')).toMatchObject({ kind: 'special', status: 'closed', closeAt: null });
  expect(find('2028-12-25')?.basis).toBe('published');
  expect(find('2029-01-01')?.basis).toBe('projected');
});

test('includes closures and early closes from overrides in the market holidays, but not late opens', () => {
  const overridden = marketCalendar([
    { date: localDate('2026-11-18'), kind: 'closed', reason: 'Blizzard' },
    { date: localDate('2026-11-19'), kind: 'late-open', open: clockTime('11:00'), reason: 'Snow' },
    {
      date: localDate('2029-05-01'),
      kind: 'early-close',
      close: clockTime('15:00'),
      reason: 'Ice',
    },
  ]);
  const special = deriveMarketHolidays(overridden, { from: 2026, to: 2029 }).filter(
    (holiday) => holiday.kind === 'special',
  );
  expect(special).toMatchObject([
    { date: '2026-11-18', name: 'Blizzard', status: 'closed' },
    { date: '2029-05-01', name: 'Ice', status: 'early-close', basis: 'published' },
  ]);
});

function find(date: string) {
  const year = Number(date.slice(0, 4));
  return deriveMarketHolidays(calendar, { from: year, to: year }).find(
    (holiday) => holiday.date === date,
  );
}
