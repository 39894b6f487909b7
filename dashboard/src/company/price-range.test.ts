import { expect, test } from 'vitest';
import { firstDayOf } from './price-range.ts';
import { priceScale } from './price-scale.ts';

test("starts a price range on the same day of an earlier month, or on that month's last day", () => {
  expect(firstDayOf('3m', '2026-05-31', null)).toBe('2026-02-28');
  expect(firstDayOf('5y', '2028-02-29', null)).toBe('2023-02-28');
  expect(firstDayOf('1y', '2026-01-15', null)).toBe('2025-01-15');
});

test('limits a price range to the history that the plan includes', () => {
  expect(firstDayOf('5y', '2026-11-22', '2024-11-21')).toBe('2024-11-21');
  expect(firstDayOf('3m', '2026-11-22', '2024-11-21')).toBe('2026-08-22');
});

test('maps every pointer position to the nearest price bar', () => {
  const bars = [10, 12, 11].map((close, day) => ({
    date: `2026-11-1${day}`,
    open: null,
    high: null,
    low: null,
    close,
    volume: null,
  }));
  const scale = priceScale(bars, { width: 400, height: 200 });
  expect(bars.map((_, index) => scale.indexAt(scale.x(index)))).toEqual([0, 1, 2]);
  expect([scale.indexAt(-50), scale.indexAt(4_000)]).toEqual([0, 2]);
  expect(scale.y(12)).toBeLessThan(scale.y(10));
});

test('returns a valid price scale if the prices never moved', () => {
  const bar = { open: null, high: null, low: null, close: 5, volume: null };
  const still = [
    { ...bar, date: '2026-11-18' },
    { ...bar, date: '2026-11-19' },
  ];
  expect(Number.isFinite(priceScale(still, { width: 400, height: 200 }).y(5))).toBe(true);
});
