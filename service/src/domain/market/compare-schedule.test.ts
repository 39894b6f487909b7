import { expect, test } from 'vitest';
import { localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { compareSchedule, type StatedSchedule } from './compare-schedule.ts';

/** The early close after Thanksgiving. */
const STATED: StatedSchedule = {
  date: localDate('2026-11-27'),
  preMarketOpen: 240,
  open: 570,
  close: 780,
  afterHoursClose: 1020,
  previousTradingDay: localDate('2026-11-25'),
  nextTradingDay: localDate('2026-11-30'),
  today: { date: localDate('2026-11-27'), isTradingDay: true },
};
const market = marketCalendar();

function differences(over: Partial<StatedSchedule>): string[] {
  return compareSchedule({ ...STATED, ...over }, market);
}

test('finds no difference in an equal schedule, or in what a source does not state', () => {
  expect(differences({})).toEqual([]);
  const unknown = { close: null, afterHoursClose: null, nextTradingDay: null, today: null };
  expect(differences(unknown)).toEqual([]);
});

test('reports other hours and other trading days', () => {
  const nextTradingDay = localDate('2026-12-01');
  expect(differences({ close: 960, nextTradingDay })).toEqual([
    '2026-11-27 close is 16:00 for the source, 13:00 in the calendar',
    'the next trading day is 2026-12-01 for the source, 2026-11-30 in the calendar',
  ]);
});

test('reports an unscheduled closure once, until an operator enters it', () => {
  const date = localDate('2026-11-30');
  const closed = { ...STATED, today: { date, isTradingDay: false } };
  expect(compareSchedule(closed, market)).toEqual([
    '2026-11-30 is closed for the source, open in the calendar',
  ]);
  const entered = marketCalendar([{ date, kind: 'closed', reason: 'Day of mourning' }]);
  expect(compareSchedule(closed, entered)).toEqual([]);
});

test('does not compare the session that a source shows on a holiday', () => {
  const date = localDate('2026-11-26');
  expect(differences({ date, close: 960, today: { date, isTradingDay: false } })).toEqual([]);
  expect(differences({ date, today: { date, isTradingDay: true } })).toEqual([
    '2026-11-26 is open for the source, closed in the calendar',
    '2026-11-26 has a session for the source, none in the calendar',
  ]);
});
