import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatBar, pricesUpTo, quietSessions } from '../../test/support/price-history.ts';
import type { DailyBar, PriceSplit } from './daily-bar.ts';
import { localDate } from './local-date.ts';
import { marketCalendar } from './market/calendar.ts';
import {
  deriveUnusualVolume,
  reportWithinOneSession,
  VOLUME_CRITERIA,
  type VolumeCandidate,
  type VolumeCriteria,
} from './unusual-volume.ts';

const calendar = marketCalendar();
/** A Tuesday. */
const DAY = localDate('2026-05-12');

function usual(close: string, volume: number): DailyBar[] {
  return quietSessions(DAY, close).map((bar) => ({ ...bar, volume }));
}

function candidate(
  symbol: string,
  bars: readonly DailyBar[],
  splits: readonly PriceSplit[] = [],
): VolumeCandidate {
  return { symbol, bars: pricesUpTo(DAY, bars, splits).bars };
}

function traded(symbol: string, close: string, volume: number): VolumeCandidate {
  return candidate(symbol, [...usual('10', 200_000), flatBar(DAY, close, volume)]);
}

function derive(candidates: VolumeCandidate[], criteria: Partial<VolumeCriteria> = {}) {
  return deriveUnusualVolume(candidates, DAY, calendar, { ...VOLUME_CRITERIA, ...criteria });
}

function list(candidates: VolumeCandidate[], criteria: Partial<VolumeCriteria> = {}): string {
  const { up, down } = derive(candidates, criteria);
  const symbols = (rows: typeof up) => rows.map(({ candidate }) => candidate.symbol).join();
  return `${symbols(up)}|${symbols(down)}`;
}

test('computes all fields of a row with unusual volume', () => {
  // 700,001 / 200,000 = 3.500005; 700,001 × 10.25 = 7,175,010.25.
  expect(derive([traded('A', '10.25', 700_001)]).up).toMatchObject([
    {
      price: '10.25',
      changePercent: '2.5',
      volume: 700001,
      averageVolume: '200000',
      relativeVolume: '3.5',
      volumeChangePercent: '250.0005',
      dollarVolume: '7175010.25',
    },
  ]);
});

test('separates gainers from losers, ordered by relative volume and then by symbol', () => {
  const rows = [
    traded('D', '11', 600_000),
    traded('B', '11', 600_001),
    traded('A', '9', 500_000),
    traded('C', '11', 600_000),
    traded('E', '9', 900_000),
    traded('F', '10', 900_000),
  ];
  expect(list(rows)).toBe('B,C,D|E,A');
  expect(list(rows.toReversed())).toBe('B,C,D|E,A');
  expect(list(rows, { maxRows: 1 })).toBe('B|E');
});

test.each([
  ['twice the average', '11', 400_000, {}, 'A|'],
  ['a share less', '11', 399_999, {}, '|'],
  ['the price at the bound', '11', 400_000, { minPrice: '11' }, 'A|'],
  ['the price below', '11', 400_000, { minPrice: '11.01' }, '|'],
  ['the average at the bound', '11', 400_000, { minAverageVolume: '200000' }, 'A|'],
  ['the average below', '11', 400_000, { minAverageVolume: '200000.5' }, '|'],
  ['the dollars at the bound', '11', 400_000, { minDollarVolume: '4400000' }, 'A|'],
  ['the dollars below', '11', 400_000, { minDollarVolume: '4400000.01' }, '|'],
  ['another ratio', '11', 300_000, { minRelativeVolume: '1.5' }, 'A|'],
])(
  'treats the criteria for unusual volume as inclusive: %s',
  (_, close, volume, criteria, expected) => {
    expect(list([traded('A', close, volume)], criteria)).toBe(expected);
  },
);

test('defaults to 20 sessions, twice the average volume, price 1, 100,000 shares, 1,000,000 in dollar volume and 100 rows', () => {
  expect(VOLUME_CRITERIA).toEqual({
    lookbackSessions: 20,
    minRelativeVolume: '2',
    minPrice: '1',
    minAverageVolume: '100000',
    minDollarVolume: '1000000',
    maxRows: 100,
  });
});

test('requires volumes in 15 of the 20 sessions for an average, ignoring older sessions', () => {
  const last = flatBar(DAY, '11', 900_000);
  const twenty = usual('10', 200_000);
  expect(list([candidate('A', [...twenty.slice(5), last])])).toBe('A|');
  expect(list([candidate('A', [...twenty.slice(6), last])])).toBe('|');
  const older = quietSessions('2026-04-14', '10').map((bar) => ({ ...bar, volume: 200_000 }));
  expect(list([candidate('A', [...older, ...twenty.slice(6), last])])).toBe('|');
  const unknown = twenty.map((bar, index) => (index < 6 ? { ...bar, volume: null } : bar));
  expect(list([candidate('A', [...unknown, last])])).toBe('|');
});

test('averages only the sessions with a volume and excludes the day itself', () => {
  const bars = usual('10', 200_000).slice(4);
  const [first] = derive([candidate('A', [...bars, flatBar(DAY, '11', 900_000)])]).up;
  expect(first).toMatchObject({ averageVolume: '200000', relativeVolume: '4.5' });
});

test('treats a split on the day neither as unusual volume nor as a price fall', () => {
  const bars = [...usual('250', 100_000), flatBar(DAY, '10.5', 2_600_000)];
  const splits = [{ date: DAY, ratio: { numerator: 25, denominator: 1 } }];
  expect(list([candidate('A', bars, splits)])).toBe('|');
  expect(derive([candidate('A', bars, splits)], { minRelativeVolume: '1' }).up).toMatchObject([
    { averageVolume: '2500000', relativeVolume: '1.04', changePercent: '5' },
  ]);
});

test('omits securities without a bar or a volume on the day, or without an earlier close', () => {
  const before = usual('10', 200_000);
  const dayBefore = flatBar('2026-05-11', '11', 900_000);
  expect(list([candidate('A', [...before.slice(0, -1), dayBefore])])).toBe('|');
  expect(list([candidate('A', [...before, flatBar(DAY, '11', null)])])).toBe('|');
  expect(list([candidate('A', [flatBar(DAY, '11', 900_000)])])).toBe('|');
  const idle = [...usual('10', 0), flatBar(DAY, '11', 900_000)];
  expect(list([candidate('A', idle)], { minAverageVolume: '0' })).toBe('|');
});

test.each([
  ['the day itself', '2026-05-12', '2026-05-12'],
  ['the session before', '2026-05-11', '2026-05-11'],
  ['two sessions before', '2026-05-08', null],
  ['the weekend before that', '2026-05-10', null],
  ['the next session', '2026-05-13', null],
])('marks only reports within one session of the day: %s', (_, date, rows) => {
  const report = { date: localDate(date), time: 'time-after-hours' };
  expect(reportWithinOneSession([report], DAY, calendar)?.date ?? null).toBe(rows);
});

test('includes reports since Friday for a Monday, and returns the newest one', () => {
  const near = (...dates: string[]) => {
    const reports = dates.map((date) => ({ date: localDate(date), time: 'time-pre-market' }));
    return reportWithinOneSession(reports, localDate('2026-05-11'), calendar)?.date;
  };
  expect(near('2026-05-08')).toBe('2026-05-08');
  expect(near('2026-05-08', '2026-05-09')).toBe('2026-05-09');
  expect(near('2026-05-07')).toBeUndefined();
});

test('lists exactly the securities whose volume qualifies, in order, with plain numbers', () => {
  const volumes = fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 21, maxLength: 21 });
  const quiet = quietSessions(DAY, '10');
  fc.assert(
    fc.property(fc.array(volumes, { maxLength: 12 }), fc.boolean(), (many, isDown) => {
      const rows = many.map((volumes, index) => {
        const bars = quiet.map((bar, at) => ({ ...bar, volume: volumes[at] ?? null }));
        const close = isDown ? '9' : '11';
        return candidate(`S${index}`, [...bars, flatBar(DAY, close, volumes[20] ?? null)]);
      });
      const { up, down } = derive(rows);
      const [listed, other] = isDown ? [down, up] : [up, down];
      expect(other).toEqual([]);
      const expected = many.filter((volumes) => {
        const sum = volumes.slice(0, 20).reduce((a, b) => a + b, 0);
        const last = volumes[20] ?? 0;
        return last * 10 >= sum && sum >= 2_000_000 && last * (isDown ? 9 : 11) >= 1_000_000;
      });
      expect(listed.length).toBe(expected.length);
      const order = listed.map(({ relativeVolume }) => Number(relativeVolume));
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      for (const { candidate: _, volume, ...texts } of listed) {
        expect(Number.isSafeInteger(volume)).toBe(true);
        for (const text of Object.values(texts)) expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      }
    }),
  );
});
