import { expect, test } from 'vitest';
import { niceTicks } from './nice-ticks.ts';

test('ends a chart axis at a round number at or above the maximum', () => {
  expect([niceTicks(38), niceTicks(1_000), niceTicks(3), niceTicks(0)]).toEqual([
    [0, 10, 20, 30, 40],
    [0, 200, 400, 600, 800, 1_000],
    [0, 1, 2, 3],
    [0, 1],
  ]);
});

test('divides a chart axis into at most five integer steps for any maximum', () => {
  for (let top = 1; top < 200_000; top = Math.ceil(top * 1.07)) {
    const ticks = niceTicks(top);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(top);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});
