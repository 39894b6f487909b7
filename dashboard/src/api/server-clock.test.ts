import { expect, test } from 'vitest';
import { type Bounds, clockOffset, narrow } from './server-clock.ts';

const NOTHING: Bounds = { low: -Infinity, high: Infinity };
const START = Date.parse('2026-11-18T15:00:00Z');

/**
 * Returns the clock bounds after several responses, about a second apart, when the local clock lags
 * by `lagMs`.
 */
function boundsAfter(lagMs: number, answers: number, wayMs = 40): Bounds {
  let bounds = NOTHING;
  for (let n = 0; n < answers; n++) {
    const respondedAt = START + n * 1_137;
    const date = Math.floor(respondedAt / 1_000) * 1_000;
    const sentAt = respondedAt - lagMs - wayMs;
    bounds = narrow(bounds, date, { sentAt, arrivedAt: respondedAt - lagMs + wayMs });
  }
  return bounds;
}

test('applies no clock offset if the clocks agree or might agree', () => {
  expect(clockOffset(NOTHING)).toBe(0);
  expect(clockOffset(boundsAfter(0, 1))).toBe(0);
  expect(clockOffset(boundsAfter(0, 30))).toBe(0);
  expect(clockOffset(boundsAfter(0, 30, 4_000))).toBe(0);
});

test.each([3_000, -3_000, 180_000])(
  'corrects a clock that lags by %d ms, and gets more precise with every response',
  (lagMs) => {
    expect(Math.abs(clockOffset(boundsAfter(lagMs, 1)) - lagMs)).toBeLessThanOrEqual(540);
    expect(Math.abs(clockOffset(boundsAfter(lagMs, 30)) - lagMs)).toBeLessThanOrEqual(80);
  },
);

test('corrects the offset after a clock adjustment as soon as the next response arrives', () => {
  const bounds = boundsAfter(180_000, 30);
  const adjusted = narrow(bounds, START, { sentAt: START + 100, arrivedAt: START + 200 });
  expect(clockOffset(adjusted)).toBe(0);
});

test('ignores a service clock that is set to a different date', () => {
  expect(clockOffset(boundsAfter(5 * 86_400_000, 30))).toBe(0);
});
