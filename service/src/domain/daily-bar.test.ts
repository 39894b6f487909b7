import { expect, test } from 'vitest';
import { flatBar } from '../../test/support/price-history.ts';
import { adjustForSplits, type DailyBar, lastIndexUpTo } from './daily-bar.ts';
import { localDate } from './local-date.ts';

function split(date: string, numerator: number, denominator: number) {
  return { date: localDate(date), ratio: { numerator, denominator } };
}

test('divides prices before a split by the split ratio and multiplies volumes by it', () => {
  const bars = [flatBar('2026-05-04', '60.3', 500), flatBar('2026-05-05', '20', 1_400)];
  const adjusted = adjustForSplits(bars, [split('2026-05-05', 3, 1)]);
  expect(adjusted.map(({ close, volume }) => [close, volume])).toEqual([
    ['20.1', 1_500],
    ['20', 1_400],
  ]);
});

test('adjusts prices and volumes for two splits together: 2 for 1, then 1 for 30', () => {
  const splits = [split('2026-05-06', 1, 30), split('2026-05-05', 2, 1)];
  const bars = [
    flatBar('2026-05-04', '1.2', 100),
    flatBar('2026-05-05', '0.6', 100),
    flatBar('2026-05-06', '18', 100),
  ];
  // 1.2 / 2 × 30 = 18, 0.6 × 30 = 18; 100 × 2 / 30 = 6.67 shares, 100 / 30 = 3.33.
  expect(adjustForSplits(bars, splits)).toMatchObject([
    { close: '18', volume: 7, exact: { volume: { numerator: 20n, denominator: 3n } } },
    { close: '18', volume: 3, exact: { volume: { numerator: 10n, denominator: 3n } } },
    { close: '18', volume: 100 },
  ]);
});

test('rounds an adjusted price to six decimals for display and also keeps the exact value', () => {
  const [bar] = adjustForSplits([flatBar('2026-05-04', '20')], [split('2026-05-05', 3, 1)]);
  expect(bar?.close).toBe('6.666667');
  expect(bar?.exact.close).toEqual({ numerator: 20n, denominator: 3n });
});

test("drops prices that aren't positive, and price bars without a closing price", () => {
  const bars: DailyBar[] = [
    { ...flatBar('2026-05-04', '7'), open: '0', high: null, low: '-1' },
    flatBar('2026-05-05', '0'),
    flatBar('2026-05-06', '-3'),
  ];
  expect(adjustForSplits(bars, [])).toMatchObject([
    { date: '2026-05-04', open: null, high: null, low: null, close: '7' },
  ]);
});

test.each([null, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'drops a volume of %s from a bar',
  (volume) => {
    const [bar] = adjustForSplits([flatBar('2026-05-04', '7', volume)], []);
    expect(bar).toMatchObject({ volume: null, exact: { volume: null } });
  },
);

test('rejects two bars for one day and invalid split ratios', () => {
  const bar = flatBar('2026-05-04', '7');
  expect(() => adjustForSplits([bar, bar], [])).toThrow('two bars of 2026-05-04');
  for (const [numerator, denominator] of [
    [0, 1],
    [1, 0],
    [1.5, 1],
    [-2, 1],
  ] as const) {
    const splits = [split('2026-05-05', numerator, denominator)];
    expect(() => adjustForSplits([bar], splits)).toThrow('not a split ratio');
  }
});

test.each([
  ['2026-05-01', -1],
  ['2026-05-04', 0],
  ['2026-05-05', 0],
  ['2026-05-06', 1],
  ['2026-06-01', 2],
])('finds the last price bar on or before %s at index %i', (date, index) => {
  const bars = ['2026-05-04', '2026-05-06', '2026-05-08'].map((day) => flatBar(day, '1'));
  expect(lastIndexUpTo(bars, localDate(date))).toBe(index);
});
