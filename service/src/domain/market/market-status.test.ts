import { describe, expect, test } from 'vitest';
import { localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { clockTime } from './clock-time.ts';
import { deriveMarketStatus } from './market-status.ts';
import type { MarketOverride } from './overrides.ts';

test('returns the complete market status during a session, with keys in response order', () => {
  expect(JSON.stringify(statusAt('2026-11-20T09:30:00-05:00'), null, 1)).toBe(
    JSON.stringify(
      {
        isTodayOpen: true,
        isTomorrowOpen: false,
        nextOpenDate: '2026-11-23',
        currentMarketStatus: 'open',
        timestamp: '2026-11-20T14:30:00Z',
        timezone: 'America/New_York',
        nextOpen: '2026-11-23T09:30:00-05:00',
        nextClose: '2026-11-20T16:00:00-05:00',
        nextStatus: 'after-hours',
        nextStatusAt: '2026-11-20T21:00:00Z',
        closedReason: null,
        isEarlyClose: false,
        holiday: null,
        today: {
          date: '2026-11-20',
          isOpen: true,
          preMarketOpen: '04:00',
          open: '09:30',
          close: '16:00',
          afterHoursClose: '20:00',
          isEarlyClose: false,
          holiday: null,
        },
        tomorrow: {
          date: '2026-11-21',
          isOpen: false,
          preMarketOpen: null,
          open: null,
          close: null,
          afterHoursClose: null,
          isEarlyClose: false,
          holiday: null,
        },
      },
      null,
      1,
    ),
  );
});

test.each([
  ['2026-11-20T03:59:59-05:00', 'closed', 'outside-hours', 'pre-market'],
  ['2026-11-20T04:00:00-05:00', 'pre-market', null, 'open'],
  ['2026-11-20T09:29:59-05:00', 'pre-market', null, 'open'],
  ['2026-11-20T15:59:59-05:00', 'open', null, 'after-hours'],
  ['2026-11-20T16:00:00-05:00', 'after-hours', null, 'closed'],
  ['2026-11-20T20:00:00-05:00', 'closed', 'outside-hours', 'pre-market'],
  ['2026-11-21T12:00:00-05:00', 'closed', 'weekend', 'pre-market'],
  ['2026-11-26T12:00:00-05:00', 'closed', 'holiday', 'pre-market'],
  ['2025-01-09T12:00:00-05:00', 'closed', 'special-closure', 'pre-market'],
  ['2026-11-27T13:00:00-05:00', 'after-hours', null, 'closed'],
  ['2026-11-27T17:00:00-05:00', 'closed', 'outside-hours', 'pre-market'],
  // 4 July 2026 is a Saturday, so the holiday is observed on Friday.
  ['2026-07-04T12:00:00-04:00', 'closed', 'weekend', 'pre-market'],
])('reports at %s that the market is %s (%s), then %s', (at, session, reason, next) => {
  const status = statusAt(at);
  expect(status.currentMarketStatus).toBe(session);
  expect(status.closedReason).toBe(reason);
  expect(status.nextStatus).toBe(next);
});

test('returns the next open and close strictly after the given time', () => {
  expect(statusAt('2026-11-20T09:29:59-05:00').nextOpen).toBe('2026-11-20T09:30:00-05:00');
  expect(statusAt('2026-11-20T09:30:00-05:00').nextOpen).toBe('2026-11-23T09:30:00-05:00');
  expect(statusAt('2026-11-20T15:59:59-05:00').nextClose).toBe('2026-11-20T16:00:00-05:00');
  expect(statusAt('2026-11-20T16:00:00-05:00').nextClose).toBe('2026-11-23T16:00:00-05:00');
});

test('formats each time with the New York offset at that time, across a clock change', () => {
  const friday = statusAt('2026-03-06T17:00:00-05:00');
  expect(friday.nextOpen).toBe('2026-03-09T09:30:00-04:00');
  expect(friday.nextStatusAt).toBe('2026-03-07T01:00:00Z');
  expect(statusAt('2026-10-30T21:00:00-04:00').nextOpen).toBe('2026-11-02T09:30:00-05:00');
});

describe('holiday names', () => {
  test('reports the names of a holiday today and of an early close tomorrow', () => {
    const status = statusAt('2026-11-26T12:00:00-05:00');
    expect(status).toMatchObject({ holiday: 'Thanksgiving Day', isEarlyClose: false });
    expect(status.tomorrow).toMatchObject({
      isOpen: true,
      isEarlyClose: true,
      holiday: 'Day after Thanksgiving',
      close: '13:00',
      afterHoursClose: '17:00',
    });
  });

  test('reports the current New York day even if UTC is already on the next day', () => {
    const status = statusAt('2026-11-27T02:00:00Z');
    expect(status.today.date).toBe('2026-11-26');
    expect(status.holiday).toBe('Thanksgiving Day');
    expect(status.isTodayOpen).toBe(false);
    expect(status.isTomorrowOpen).toBe(true);
  });

  test('reports no holiday name on a weekend, even if the actual holiday is on that day', () => {
    expect(statusAt('2026-07-04T12:00:00-04:00').holiday).toBeNull();
    expect(statusAt('2026-07-03T12:00:00-04:00').holiday).toBe('Independence Day');
  });
});

test('reports an early close entered by an operator, which ends the session', () => {
  const override: MarketOverride = {
    date: localDate('2026-11-20'),
    kind: 'early-close',
    close: clockTime('14:00'),
    reason: 'Blizzard',
  };
  const status = statusAt('2026-11-20T14:00:00-05:00', [override]);
  expect(status).toMatchObject({ isEarlyClose: true, holiday: 'Blizzard' });
  expect(status.currentMarketStatus).toBe('after-hours');
  expect(status.nextStatusAt).toBe('2026-11-20T23:00:00Z');
});

function statusAt(at: string, overrides: readonly MarketOverride[] = []) {
  return deriveMarketStatus(marketCalendar(overrides), Date.parse(at));
}
