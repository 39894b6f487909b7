import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEpochDay, localDate } from '../local-date.ts';
import { marketCalendar } from './calendar.ts';
import { clockTime, formatClockTime } from './clock-time.ts';
import type { MarketOverride } from './overrides.ts';

const FRIDAY = localDate('2026-11-20');

describe('overrides on a regular day', () => {
  test('a closure removes the session and sets its reason', () => {
    const day = dayWith([{ date: FRIDAY, kind: 'closed', reason: 'Blizzard' }]);
    expect(day).toMatchObject({ status: 'closed', open: null, close: null, kind: 'special' });
    expect(day).toMatchObject({ preMarketOpen: null, afterHoursClose: null, reason: 'Blizzard' });
  });

  test('an early close moves the end of after-hours trading to four hours later', () => {
    const day = dayWith([earlyClose('14:30')]);
    expect(day).toMatchObject({ status: 'early', open: clockTime('09:30'), kind: 'special' });
    expect(day).toMatchObject({ close: clockTime('14:30'), afterHoursClose: clockTime('18:30') });
  });

  test('a late open extends the pre-market and keeps the close', () => {
    const day = dayWith([lateOpen('12:00')]);
    expect(day).toMatchObject({ status: 'open', preMarketOpen: clockTime('04:00') });
    expect(day).toMatchObject({ open: clockTime('12:00'), close: clockTime('16:00') });
    expect(day).toMatchObject({ afterHoursClose: clockTime('20:00'), kind: 'special' });
  });

  test('a late open and an early close apply together', () => {
    const day = dayWith([lateOpen('11:00'), earlyClose('14:00')]);
    expect(day).toMatchObject({ status: 'early', open: clockTime('11:00') });
    expect(day).toMatchObject({ close: clockTime('14:00'), reason: 'closes 14:00; opens 11:00' });
  });

  test.each([
    ['a close at the regular close', earlyClose('16:00')],
    ['a close later than the regular close', earlyClose('17:00')],
    ['an open at the regular open', lateOpen('09:30')],
    ['an open earlier than the regular open', lateOpen('08:00')],
  ])('%s has no effect on the session', (_, override) => {
    expect(dayWith([override])).toEqual(dayWith([]));
  });

  test('a session is closed if its overrides leave no time for it', () => {
    const day = dayWith([lateOpen('13:00'), earlyClose('13:00')]);
    expect(day).toMatchObject({ status: 'closed', open: null });
  });

  test('overrides have the same effect in any order', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    const override = fc.oneof(
      minutes.map((minute) => earlyClose(formatClockTime(minute))),
      minutes.map((minute) => lateOpen(formatClockTime(minute))),
      fc.constant<MarketOverride>({ date: FRIDAY, kind: 'closed', reason: 'shut' }),
    );
    const shuffled = fc
      .array(override, { maxLength: 6 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(dayWith(one)).toEqual(dayWith(other));
      }),
    );
  });
});

test('ignores an override on a weekend or a holiday', () => {
  for (const date of [localDate('2026-11-21'), localDate('2026-11-26')]) {
    const overridden = marketCalendar([{ date, kind: 'early-close', close: 600, reason: 'x' }]);
    expect(overridden.day(date)).toEqual(marketCalendar().day(date));
  }
});

test('keeps a scheduled early close when an override would close the market later', () => {
  const date = localDate('2026-11-27');
  const override: MarketOverride = {
    date,
    kind: 'early-close',
    close: clockTime('14:00'),
    reason: 'x',
  };
  expect(marketCalendar([override]).day(date).reason).toBe('Day after Thanksgiving');
});

test('keeps a day with an early close marked as early despite a late open', () => {
  const date = localDate('2026-11-27');
  const override: MarketOverride = {
    date,
    kind: 'late-open',
    open: clockTime('11:00'),
    reason: 'x',
  };
  expect(marketCalendar([override]).day(date)).toMatchObject({
    status: 'early',
    afterHoursClose: clockTime('17:00'),
  });
});

test('leaves other days and calendars without the override unchanged', () => {
  const overridden = marketCalendar([{ date: FRIDAY, kind: 'closed', reason: 'Blizzard' }]);
  const plain = marketCalendar();
  expect(overridden.nextTradingDay(localDate('2026-11-19'))).toBe('2026-11-23');
  expect(plain.nextTradingDay(localDate('2026-11-19'))).toBe(FRIDAY);
  const others = Array.from({ length: 1_500 }, (_, index) => fromEpochDay(20_000 + index)).filter(
    (date) => date !== FRIDAY,
  );
  for (const date of others) expect(overridden.day(date)).toBe(plain.day(date));
});

function dayWith(overrides: readonly MarketOverride[]) {
  return marketCalendar(overrides).day(FRIDAY);
}

function earlyClose(close: string): MarketOverride {
  return { date: FRIDAY, kind: 'early-close', close: clockTime(close), reason: `closes ${close}` };
}

function lateOpen(open: string): MarketOverride {
  return { date: FRIDAY, kind: 'late-open', open: clockTime(open), reason: `opens ${open}` };
}
