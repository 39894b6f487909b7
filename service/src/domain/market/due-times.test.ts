import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { formatNewYork } from '../new-york.ts';
import { parseInstant } from '../../platform/instant.ts';
import {
  daily,
  dueOn,
  everyOnTradingDays,
  isEarningsSeason,
  lastDue,
  nextDue,
  onTradingDays,
  seasonal,
  weekly,
} from './due-times.ts';

const market = marketCalendar();
const HALF_HOURLY = everyOnTradingDays(30, '06:00', '20:00');

function at(text: string): number {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(text);
  return instant;
}

describe('job schedules', () => {
  it.each([
    // The Thursday before Thanksgiving week, when New York is five hours behind UTC.
    [daily('02:00'), '2026-11-19T06:59:59Z', '2026-11-19T02:00:00-05:00'],
    [daily('02:00'), '2026-11-19T07:00:00Z', '2026-11-20T02:00:00-05:00'],
    [daily('05:00', '20:40'), '2026-11-19T12:00:00Z', '2026-11-19T20:40:00-05:00'],
    [weekly(6, '04:00'), '2026-11-21T09:00:00Z', '2026-11-28T04:00:00-05:00'],
    // A weekend and a holiday have no session.
    [onTradingDays('20:20'), '2026-11-21T03:00:00Z', '2026-11-23T20:20:00-05:00'],
    [onTradingDays('20:20'), '2026-11-26T03:00:00Z', '2026-11-27T20:20:00-05:00'],
    [HALF_HOURLY, '2026-11-19T15:10:00Z', '2026-11-19T10:30:00-05:00'],
    [HALF_HOURLY, '2026-11-21T01:00:00Z', '2026-11-23T06:00:00-05:00'],
    // The market closes at 13:00 on the day after Thanksgiving, so evening jobs run three hours
    // earlier.
    [onTradingDays('close+260'), '2026-11-27T15:00:00Z', '2026-11-27T17:20:00-05:00'],
    [onTradingDays('close+260'), '2026-11-30T15:00:00Z', '2026-11-30T20:20:00-05:00'],
    [onTradingDays('open-90', 'close+15'), '2026-11-27T05:00:00Z', '2026-11-27T08:00:00-05:00'],
    [onTradingDays('open-90', 'close+15'), '2026-11-27T15:00:00Z', '2026-11-27T13:15:00-05:00'],
    // The clocks change during the night before 2026-11-01.
    [daily('02:00'), '2026-10-31T12:00:00Z', '2026-11-01T02:00:00-05:00'],
    [daily('02:30'), '2027-03-13T12:00:00Z', '2027-03-14T03:30:00-04:00'],
  ])(
    'computes for the job times %j that the next run after %s is due at %s',
    (times, after, due) => {
      expect(formatNewYork(nextDue(times, at(after), market))).toBe(due);
    },
  );

  it('makes jobs due earlier on the day of an early close entered by an operator', () => {
    const override = {
      kind: 'early-close' as const,
      date: localDate('2026-11-19'),
      close: 12 * 60,
      reason: 'Storm',
    };
    const due = nextDue(
      onTradingDays('close+30'),
      at('2026-11-19T15:00:00Z'),
      marketCalendar([override]),
    );
    expect(formatNewYork(due)).toBe('2026-11-19T12:30:00-05:00');
  });

  it('makes jobs due more often in earnings season', () => {
    const times = seasonal(HALF_HOURLY, onTradingDays('12:00'));
    expect(dueOn(times, localDate('2026-11-19'), market)).toHaveLength(29);
    expect(dueOn(times, localDate('2026-12-21'), market)).toHaveLength(1);
    expect(dueOn(times, localDate('2026-11-21'), market)).toHaveLength(0);
  });

  it.each([
    ['2026-01-09', false],
    ['2026-01-10', true],
    ['2026-02-28', true],
    ['2026-03-01', false],
    ['2026-07-09', false],
    ['2026-08-31', true],
    ['2026-12-15', false],
  ])('determines whether %s is in earnings season: %s', (date, isIn) => {
    expect(isEarningsSeason(localDate(date))).toBe(isIn);
  });

  it('finds no due time between the last and the next one', () => {
    const schedules = [
      daily('02:00', '14:30'),
      weekly(3, '00:00'),
      onTradingDays('23:59', 'close+260', 'open-90'),
      seasonal(HALF_HOURLY, onTradingDays('close+45')),
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2029-01-01T00:00:00Z') }),
        fc.constantFrom(...schedules),
        (now, times) => {
          const last = lastDue(times, now, market);
          expect(last).toBeLessThanOrEqual(now);
          expect(nextDue(times, last, market)).toBe(nextDue(times, now, market));
          expect(lastDue(times, last, market)).toBe(last);
        },
      ),
    );
  });

  it('rejects an invalid time of day in a schedule', () => {
    for (const text of ['24:00', '7:00', 'close', 'noon+5']) {
      expect(() => daily(text)).toThrow(RangeError);
    }
    expect(() => everyOnTradingDays(5, '06:00', 'close+5')).toThrow(RangeError);
  });
});
