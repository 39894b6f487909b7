import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createRateLimiter } from './rate-limiter.ts';

const ALL = { share: 1, isSpread: false };

test('never starts more requests in any window than the budget allows', async () => {
  const clock = fakeClock(0);
  const limiter = createRateLimiter({
    clock,
    intervalMsMin: 1000,
    budget: { requests: 10, windowMs: 60_000 },
  });
  const starts: number[] = [];
  for (let i = 0; i < 35; i++) {
    void limiter.acquire().then(() => starts.push(clock.monotonicMs()));
  }
  await clock.advance(200_000);
  expect(starts).toHaveLength(35);
  const counts = starts.map((at) => starts.filter((x) => x >= at && x < at + 60_000).length);
  expect(Math.max(...counts)).toBe(10);
  // The budget is used as soon as it allows.
  expect(starts.at(-1)).toBe(3 * 60_000 + 4000);
});

test('reports how long a part of the budget is used up, and spreads requests over the window', async () => {
  const clock = fakeClock(0);
  const budget = { requests: 10, windowMs: 60_000 };
  const limiter = createRateLimiter({ clock, intervalMsMin: 1000, budget });
  expect(limiter.budgetWaitMs({ share: 0.5, isSpread: true })).toBe(0);
  for (let i = 0; i < 5; i++) void limiter.acquire();
  await clock.advance(4000);
  expect(limiter.budgetWaitMs(ALL)).toBe(0);
  expect(limiter.budgetWaitMs({ share: 0.5, isSpread: false })).toBe(56_000);
  // Six per window are one every ten seconds.
  expect(limiter.budgetWaitMs({ share: 0.6, isSpread: false })).toBe(0);
  expect(limiter.budgetWaitMs({ share: 0.6, isSpread: true })).toBe(10_000);
});

test('has no budget unless the source has one', async () => {
  const clock = fakeClock(0);
  const limiter = createRateLimiter({ clock, intervalMsMin: 0 });
  for (let i = 0; i < 1000; i++) expect(await limiter.acquire()).toBe(true);
  expect(limiter.budgetWaitMs(ALL)).toBe(0);
});
