import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createSlidingWindowLimiter } from './sliding-window-limiter.ts';

test('never allows more actions than the limit in any 60 seconds, and reports a sufficient wait', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  const limit = createSlidingWindowLimiter(clock, 3);
  for (const pauseMs of [20_000, 20_000, 500]) {
    expect(limit.consume('a')).toBe(0);
    await clock.advance(pauseMs);
  }
  expect(limit.consume('a')).toBe(20);
  expect(limit.consume('a')).toBe(20);
  await clock.advance(19_499);
  expect(limit.consume('a')).toBe(1);
  await clock.advance(1);
  expect(limit.consume('a')).toBe(0);
  expect(limit.consume('a')).toBe(20);
});

test('counts the actions of each caller separately', () => {
  const limit = createSlidingWindowLimiter(fakeClock(0), 1);
  expect([limit.consume('a'), limit.consume('b'), limit.consume('a')]).toEqual([0, 0, 60]);
});
