import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { ComputeBudget } from './compute-budget.ts';

const PLAN = { computeMsPerMinute: 6_000 };

test('refuses a computation once the time of the plan is used up, until the excess has drained', async () => {
  const clock = fakeClock(0);
  const budget = new ComputeBudget(clock);
  expect(budget.check('a', PLAN)).toBeNull();
  budget.charge('a', 5_999);
  expect(budget.check('a', PLAN)).toBeNull();
  budget.charge('a', 301);
  const wait = budget.check('a', PLAN);
  expect(wait).toEqual({ limitMs: 6_000, waitMs: 3_000 });
  await clock.advance(2_999);
  expect(budget.check('a', PLAN)).not.toBeNull();
  await clock.advance(2);
  expect(budget.check('a', PLAN)).toBeNull();
});

test('never allows much more than the time of the plan per minute, however it is spent', async () => {
  const clock = fakeClock(0);
  const budget = new ComputeBudget(clock);
  let usedMs = 0;
  for (let second = 0; second < 600; second += 1) {
    while (budget.check('a', PLAN) === null) {
      budget.charge('a', 870);
      usedMs += 870;
    }
    await clock.advance(1_000);
  }
  expect(usedMs).toBeLessThanOrEqual(11 * 6_000 + 870);
  expect(usedMs).toBeGreaterThan(10 * 6_000);
});

test('counts each customer apart, and no time for a plan without a limit', () => {
  const budget = new ComputeBudget(fakeClock(0));
  const unlimited = { computeMsPerMinute: null };
  for (const customer of ['a', 'b']) budget.check(customer, PLAN);
  budget.charge('a', 60_000);
  budget.charge('c', 60_000);
  expect(budget.check('b', PLAN)).toBeNull();
  expect(budget.check('c', unlimited)).toBeNull();
  expect(budget.check('a', PLAN)).toMatchObject({ limitMs: 6_000 });
});

test('applies a larger plan to the time that is already used', () => {
  const budget = new ComputeBudget(fakeClock(0));
  budget.check('a', PLAN);
  budget.charge('a', 6_000);
  expect(budget.check('a', PLAN)).not.toBeNull();
  expect(budget.check('a', { computeMsPerMinute: 30_000 })).toBeNull();
});

test('does not forget time in use while many customers come and go', () => {
  const budget = new ComputeBudget(fakeClock(0));
  budget.check('a', PLAN);
  budget.charge('a', 7_000);
  for (let i = 0; i < 30_000; i += 1) budget.check(`other ${i}`, PLAN);
  expect(budget.check('a', PLAN)).not.toBeNull();
});
