import { expect, test } from 'vitest';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';
import { marketInfo } from './market-info.ts';

const WORDS = {
  preMarketOpeningTime: 'Nov 27, 2026 04:00 AM ET',
  marketOpeningTime: 'Nov 27, 2026 09:30 AM ET',
  marketClosingTime: 'Nov 27, 2026 01:00 PM ET',
  afterHoursMarketClosingTime: 'Nov 27, 2026 05:00 PM ET',
  previousTradeDate: 'Nov 25, 2026',
  nextTradeDate: 'Nov 30, 2026',
  isBusinessDay: true,
};
const SCHEDULE = {
  date: '2026-11-27',
  preMarketOpen: 240,
  open: 570,
  close: 780,
  afterHoursClose: 1020,
  previousTradingDay: '2026-11-25',
  nextTradingDay: '2026-11-30',
};

function scheduleOf(data: object, observedAt = '2026-11-27T14:05:00Z') {
  const { marketSchedule } = marketInfo.parse(
    apiResponse('market-info', envelope(data), observedAt),
  );
  return marketSchedule;
}

test('reads the hours in words, and the raw times where they are given', () => {
  const today = { date: '2026-11-27', isTradingDay: true };
  expect(scheduleOf(WORDS)).toEqual({ ...SCHEDULE, today });
  const raw = { closeRaw: '2026-11-27T13:15:00', marketClosingTime: 'soon' };
  expect(scheduleOf({ ...WORDS, ...raw })).toEqual({ ...SCHEDULE, close: 795, today });
});

test('says nothing about today in the evening, when the source may show the next day', () => {
  expect(scheduleOf(WORDS, '2026-11-27T22:00:00Z')?.today).toBeNull();
});

test('rejects a response without an opening time or with an unreadable day', () => {
  expect(() => scheduleOf({ isBusinessDay: true })).toThrow('no opening time');
  expect(() => scheduleOf({ ...WORDS, nextTradeDate: 'tomorrow' })).toThrow('month, day and year');
});
