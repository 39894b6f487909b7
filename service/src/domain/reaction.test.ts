import { describe, expect, test } from 'vitest';
import { flatBar, pricesUpTo, quietSessions } from '../../test/support/price-history.ts';
import type { DailyBar } from './daily-bar.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import { deriveReactions, type PriceData, reactionWindow } from './reaction.ts';
import type { Release, ReleaseTime } from './release-window.ts';

const calendar = marketCalendar();
/** A Tuesday. The 20 sessions before it close at 100 on a volume of 1,000 shares. */
const DAY = '2026-05-12';
const BEFORE = quietSessions(DAY);

function release(date: string, time: ReleaseTime): Release {
  return { date: localDate(date), time, reportedAt: null, markerAhead: true };
}

function derive(event: Release, prices: PriceData) {
  return deriveReactions(event, calendar, prices);
}

function days(event: Release, prices: PriceData): string {
  const { baseDate, firstReactionDate, reactionBasis } = reactionWindow(event, calendar, prices);
  return `${baseDate} ${firstReactionDate} ${reactionBasis}`;
}

describe('hand-computed cases', () => {
  test('measures gap, change, cumulative change and volume over two days for a report before the open', () => {
    const bars = [
      ...BEFORE,
      { ...flatBar(DAY, '105', 3_000), open: '102', high: '106', low: '101.5' },
      flatBar('2026-05-13', '103', 1_250),
    ];
    // 103 / 105 − 1 = −1.90476… %.
    expect(derive(release(DAY, 'time-pre-market'), pricesUpTo('2026-05-13', bars))).toEqual({
      baseDate: '2026-05-11',
      basePrice: '100',
      reactionBasis: 'session',
      averageVolume: '1000',
      reactions: [
        {
          day: 1,
          date: DAY,
          open: '102',
          high: '106',
          low: '101.5',
          close: '105',
          volume: 3e3,
          priceChange: '5',
          gapChange: '2',
          cumulativeChange: '5',
          volumeRatio: '3',
        },
        {
          day: 2,
          date: '2026-05-13',
          open: '103',
          high: '103',
          low: '103',
          close: '103',
          volume: 1250,
          priceChange: '-1.9048',
          gapChange: null,
          cumulativeChange: '3',
          volumeRatio: '1.25',
        },
      ],
    });
  });

  test('uses the close of a shortened session before a weekend as the base', () => {
    const bars = [...quietSessions('2026-11-27', '40'), flatBar('2026-11-27', '50')];
    const prices = pricesUpTo('2026-11-30', [...bars, flatBar('2026-11-30', '49')]);
    const at = Date.parse('2026-11-27T18:05:00Z');
    const late = { ...release('2026-11-27', 'time-not-supplied'), reportedAt: at };
    expect(derive(late, prices)).toMatchObject({
      baseDate: '2026-11-27',
      basePrice: '50',
      reactionBasis: 'exact',
      reactions: [
        {
          date: '2026-11-30',
          priceChange: '-2',
        },
      ],
    });
  });

  test('measures the reaction to a report during the session from the previous close', () => {
    const prices = pricesUpTo(DAY, [...BEFORE, flatBar(DAY, '97')]);
    expect(derive(release(DAY, 'time-during-market'), prices)).toMatchObject({
      baseDate: '2026-05-11',
      reactionBasis: 'intraday',
      reactions: [
        {
          date: DAY,
          priceChange: '-3',
        },
      ],
    });
  });

  test("measures the reaction to a weekend report on Monday, from Friday's close", () => {
    const bars = [...quietSessions('2026-05-18', '20'), flatBar('2026-05-18', '21')];
    const saturday = release('2026-05-16', 'time-pre-market');
    expect(derive(saturday, pricesUpTo('2026-05-18', bars))).toMatchObject({
      baseDate: '2026-05-15',
      reactionBasis: 'session',
      reactions: [
        {
          day: 1,
          date: '2026-05-18',
          priceChange: '5',
        },
      ],
    });
  });

  test('starts the reaction after a holiday that follows the report', () => {
    const bars = [...quietSessions('2026-11-27', '10'), flatBar('2026-11-27', '10.1')];
    const wednesday = release('2026-11-25', 'time-after-hours');
    expect(derive(wednesday, pricesUpTo('2026-11-27', bars))).toMatchObject({
      baseDate: '2026-11-25',
      reactions: [{ day: 1, date: '2026-11-27', priceChange: '1' }],
    });
  });

  test('measures the same price change with a split between the base and the reaction', () => {
    const bars = [...quietSessions(DAY, '300'), flatBar(DAY, '105', 6_000)];
    const splits = [{ date: localDate(DAY), ratio: { numerator: 3, denominator: 1 } }];
    expect(derive(release(DAY, 'time-pre-market'), pricesUpTo(DAY, bars, splits))).toMatchObject({
      basePrice: '100',
      averageVolume: '3000',
      reactions: [
        {
          close: '105',
          priceChange: '5',
          gapChange: '5',
          volumeRatio: '2',
        },
      ],
    });
  });

  test('skips a trading halt before and after the report, and returns the dates actually used', () => {
    const bars = [
      ...BEFORE.slice(0, -1),
      flatBar('2026-05-13', '110'),
      flatBar('2026-05-15', '99'),
    ];
    expect(derive(release(DAY, 'time-pre-market'), pricesUpTo('2026-05-15', bars))).toMatchObject({
      baseDate: '2026-05-08',
      reactions: [
        { day: 1, date: '2026-05-13', priceChange: '10' },
        { day: 2, date: '2026-05-15', priceChange: '-10', cumulativeChange: '-1' },
      ],
    });
  });

  test('returns a base price but no reactions until the first session after the report is over', () => {
    const prices = pricesUpTo('2026-05-11', [...BEFORE, flatBar(DAY, '120')]);
    expect(derive(release(DAY, 'time-pre-market'), prices)).toMatchObject({
      baseDate: '2026-05-11',
      basePrice: '100',
      averageVolume: '1000',
      reactions: [],
    });
  });

  test('returns no base price until the day of an evening report is over', () => {
    const prices = pricesUpTo('2026-05-11', [...BEFORE, flatBar(DAY, '120')]);
    expect(derive(release(DAY, 'time-after-hours'), prices)).toMatchObject({
      baseDate: null,
      basePrice: null,
      averageVolume: null,
      reactions: [],
    });
  });

  test('returns no base price before the first bar of a new listing, and no average volume after it', () => {
    const prices = pricesUpTo('2026-05-13', [flatBar(DAY, '20'), flatBar('2026-05-13', '22')]);
    expect(derive(release(DAY, 'time-pre-market'), prices)).toMatchObject({
      baseDate: null,
      basePrice: null,
      reactions: [],
    });
    expect(derive(release(DAY, 'time-after-hours'), prices)).toMatchObject({
      baseDate: DAY,
      basePrice: '20',
      averageVolume: null,
      reactions: [
        {
          date: '2026-05-13',
          priceChange: '10',
          volumeRatio: null,
        },
      ],
    });
  });

  test('returns a null gap if the open is unknown and a null volume ratio if the volume is unknown', () => {
    const bar: DailyBar = { ...flatBar(DAY, '101', null), open: null };
    const prices = pricesUpTo(DAY, [...BEFORE, bar]);
    expect(derive(release(DAY, 'time-pre-market'), prices).reactions).toMatchObject([
      { open: null, volume: null, priceChange: '1', gapChange: null, volumeRatio: null },
    ]);
  });

  test('returns reactions for at most ten sessions', () => {
    const after = calendar.tradingDays(localDate(DAY), localDate('2026-06-12'));
    const bars = [...BEFORE, ...after.map((date) => flatBar(date, '101'))];
    const { reactions } = derive(release(DAY, 'time-pre-market'), pricesUpTo('2026-06-12', bars));
    expect(reactions.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(reactions.at(-1)?.date).toBe('2026-05-26');
  });

  test('treats price bars more than ten sessions apart as separate histories, not as a trading halt', () => {
    const bars = [...quietSessions('2026-04-27'), flatBar(DAY, '90')];
    const prices = pricesUpTo(DAY, bars);
    expect(derive(release(DAY, 'time-pre-market'), prices)).toMatchObject({ baseDate: null });
    expect(derive(release('2026-04-27', 'time-pre-market'), prices)).toMatchObject({
      baseDate: '2026-04-24',
      reactions: [],
    });
    expect(derive(release('2026-05-11', 'time-pre-market'), prices)).toMatchObject({
      baseDate: '2026-04-24',
      reactions: [{ day: 1, date: DAY, priceChange: '-10' }],
    });
    const holed = pricesUpTo('2026-05-29', [
      ...BEFORE,
      flatBar(DAY, '90'),
      flatBar('2026-05-28', '9'),
    ]);
    expect(derive(release(DAY, 'time-pre-market'), holed).reactions).toHaveLength(1);
  });
});

describe('reports with an unknown time', () => {
  const unknown = release(DAY, 'time-not-supplied');

  function withVolumes(sameDay: number | null, nextDay: number | null): DailyBar[] {
    return [...BEFORE, flatBar(DAY, '100', sameDay), flatBar('2026-05-13', '100', nextDay)];
  }

  // The average volume before the next day covers 19 days of 1,000 and the report's own day.
  test.each([
    ['the day itself is clear', 3_000, 1_000, '2026-05-11 2026-05-12 inferred'],
    ['the next day is clear', 1_000, 3_000, '2026-05-12 2026-05-13 inferred'],
    ['exactly 1.5 and more than 1.5 times the other', 1_500, 900, '2026-05-11 2026-05-12 inferred'],
    ['a hair below 1.5', 1_499, 500, '2026-05-12 2026-05-13 assumed'],
    // The relative volumes are 2,000 and 1,400 / 1.05 = 1,333.3…, a factor of exactly 1.5.
    ['exactly 1.5 times the other', 2_000, 1_400, '2026-05-11 2026-05-12 inferred'],
    ['a hair below 1.5 times the other', 2_000, 1_401, '2026-05-12 2026-05-13 assumed'],
    ['both are high', 3_000, 3_000, '2026-05-12 2026-05-13 assumed'],
    ['neither is high', 1_000, 600, '2026-05-12 2026-05-13 assumed'],
    ['a volume is not known', 9_000, null, '2026-05-12 2026-05-13 assumed'],
  ])(
    'infers or assumes the reaction day of a report with an unknown time: %s',
    (_, sameDay, nextDay, expected) => {
      expect(days(unknown, pricesUpTo('2026-05-13', withVolumes(sameDay, nextDay)))).toBe(expected);
    },
  );

  test('infers no reaction day from an unfinished session', () => {
    const prices = pricesUpTo(DAY, withVolumes(3_000, 200));
    expect(days(unknown, prices)).toBe('2026-05-12 2026-05-13 assumed');
  });

  test('infers no reaction day without 15 volumes in the preceding 20 sessions', () => {
    const bars = withVolumes(3_000, 1_000);
    expect(days(unknown, pricesUpTo('2026-05-13', bars.slice(5)))).toMatch(/inferred$/);
    expect(days(unknown, pricesUpTo('2026-05-13', bars.slice(6)))).toMatch(/assumed$/);
  });

  test('compares Monday with Tuesday for a Sunday report, and assumes the reaction day if neither has a clearly higher volume', () => {
    const sunday = release('2026-05-10', 'time-not-supplied');
    const before = quietSessions('2026-05-11');
    const monday = [...before, flatBar('2026-05-11', '99', 2_000), flatBar(DAY, '99', 900)];
    expect(days(sunday, pricesUpTo(DAY, monday))).toBe('2026-05-08 2026-05-11 inferred');
    const tuesday = [...before, flatBar('2026-05-11', '99', 900), flatBar(DAY, '99', 2_000)];
    expect(days(sunday, pricesUpTo(DAY, tuesday))).toBe('2026-05-11 2026-05-12 inferred');
    const quiet = [...before, flatBar('2026-05-11', '99'), flatBar(DAY, '99')];
    expect(days(sunday, pricesUpTo(DAY, quiet))).toBe('2026-05-08 2026-05-11 assumed');
  });
});
