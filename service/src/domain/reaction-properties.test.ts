import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatBar, pricesUpTo } from '../../test/support/price-history.ts';
import type { DailyBar } from './daily-bar.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { deriveReactions, type PriceData } from './reaction.ts';
import type { Release, ReleaseTime } from './release-window.ts';

const calendar = marketCalendar();

function derive(event: Release, prices: PriceData) {
  return deriveReactions(event, calendar, prices);
}

describe('for any history', () => {
  const from = localDate('2026-04-01');
  const sessions = calendar.tradingDays(from, localDate('2026-06-12'));
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  const anyBar = fc.record({
    isMissing: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
    open: fc.option(cents),
    close: cents,
    volume: fc.option(fc.integer({ min: 0, max: 10 ** 12 })),
  });
  const anyHistory = fc
    .array(anyBar, { minLength: sessions.length, maxLength: sessions.length })
    .map((bars) =>
      bars.flatMap(({ isMissing, open, close, volume }, index): DailyBar[] => {
        const date = sessions[index];
        if (date === undefined || isMissing) return [];
        const opened = open === null ? null : (open / 100).toFixed(2);
        const closed = (close / 100).toFixed(2);
        return [{ ...flatBar(date, closed, volume), open: opened }];
      }),
    );
  const anyRelease = fc.record({
    date: fc.integer({ min: 28, max: 70 }).map((days) => {
      return localDate(new Date(Date.UTC(2026, 3, 1 + days)).toISOString().slice(0, 10));
    }),
    time: fc.constantFrom<ReleaseTime>(
      'time-pre-market',
      'time-after-hours',
      'time-during-market',
      'time-not-supplied',
    ),
    reportedAt: fc.constant(null),
    markerAhead: fc.boolean(),
  });
  const LAST = '2026-06-12';

  /** Returns the results that must not depend on the price unit or the share unit. */
  function shape(event: Release, prices: PriceData) {
    const { baseDate, reactionBasis, reactions } = derive(event, prices);
    const ratios = reactions.map(
      ({ day, date, priceChange, gapChange, cumulativeChange, volumeRatio }) =>
        [day, date, priceChange, gapChange, cumulativeChange, volumeRatio].join(),
    );
    return { baseDate, reactionBasis, ratios };
  }

  test('returns the same reaction percentages when all prices are scaled', () => {
    const scale = (price: string | null, factor: number): string | null =>
      price === null ? null : ((Math.round(Number(price) * 100) * factor) / 100).toFixed(2);
    fc.assert(
      fc.property(
        anyHistory,
        anyRelease,
        fc.integer({ min: 2, max: 1_000 }),
        (bars, event, factor) => {
          const scaled = bars.map((bar) => ({
            ...bar,
            open: scale(bar.open, factor),
            close: scale(bar.close, factor) ?? bar.close,
          }));
          expect(shape(event, pricesUpTo(LAST, scaled))).toEqual(
            shape(event, pricesUpTo(LAST, bars)),
          );
        },
      ),
    );
  });

  test('returns the same reaction percentages when a price history is split and adjusted', () => {
    const ratio = fc.record({
      numerator: fc.integer({ min: 1, max: 50 }),
      denominator: fc.integer({ min: 1, max: 50 }),
    });
    const day = fc.constantFrom(...sessions);
    fc.assert(
      fc.property(
        anyHistory,
        anyRelease,
        ratio,
        day,
        (bars, event, { numerator, denominator }, date) => {
          // In an n-for-d split, one old share became n/d new shares, so it cost n when a share of
          // today costs d.
          const today = bars.map((bar) => times(bar, denominator, numerator));
          const asTraded = bars.map((bar) =>
            bar.date < date
              ? times(bar, numerator, denominator)
              : times(bar, denominator, numerator),
          );
          const splits = [{ date, ratio: { numerator, denominator } }];
          const adjusted = pricesUpTo(LAST, asTraded, splits);
          expect(shape(event, adjusted)).toEqual(shape(event, pricesUpTo(LAST, today)));
        },
      ),
    );
  });

  /** Scales prices by `forPrice` and volumes by `forVolume`. */
  function times(bar: DailyBar, forPrice: number, forVolume: number): DailyBar {
    const scale = (price: string) =>
      ((Math.round(Number(price) * 100) * forPrice) / 100).toFixed(2);
    return {
      ...bar,
      open: bar.open === null ? null : scale(bar.open),
      close: scale(bar.close),
      volume: bar.volume === null ? null : bar.volume * forVolume,
    };
  }

  test('returns the same reactions for any order of the bars', () => {
    const shuffled = anyHistory.chain((bars) =>
      fc.tuple(
        fc.constant(bars),
        fc.shuffledSubarray(bars, { minLength: bars.length, maxLength: bars.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, anyRelease, ([bars, mixed], event) => {
        expect(derive(event, pricesUpTo(LAST, mixed))).toEqual(
          derive(event, pricesUpTo(LAST, bars)),
        );
      }),
    );
  });

  test('returns plain decimal text and ascending days after the base, up to the last completed session', () => {
    fc.assert(
      fc.property(anyHistory, anyRelease, fc.constantFrom(...sessions), (bars, event, last) => {
        const { baseDate, basePrice, averageVolume, reactions } = derive(
          event,
          pricesUpTo(last, bars),
        );
        const texts = reactions.flatMap(({ day, date, volume, ...prices }) => {
          expect(date <= last && baseDate !== null && baseDate < date).toBe(true);
          expect(volume === null || Number.isFinite(volume)).toBe(true);
          expect(reactions[day - 1]?.date).toBe(date);
          return Object.values(prices);
        });
        for (const text of [basePrice, averageVolume, ...texts]) {
          if (text !== null) expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        }
      }),
    );
  });
});
