import { expect, test } from 'vitest';
import { DayAllowance } from './day-allowance.ts';

const NOON = Date.parse('2026-11-20T12:00:00-05:00');
const MIDNIGHT = Date.parse('2026-11-21T00:00:00-05:00');
const FREE = { perDay: 100, perMonth: 1_000 };

test('limits the responses of a customer per New York day, far above the quota of its plan', () => {
  const allowance = new DayAllowance();
  const use = (customerId: string, now: number) => allowance.consume(customerId, FREE, now);
  for (let count = 0; count < 2_000; count += 1) expect(use('a', NOON)).toBeNull();
  expect(use('a', NOON)).toEqual({ limit: 2_000, resetAt: MIDNIGHT });
  expect(use('b', NOON)).toBeNull();
  // A clock that steps back opens no new day.
  expect(use('a', NOON - 86_400_000)).not.toBeNull();
  expect(use('a', MIDNIGHT)).toBeNull();
});

test('grows with the day of the plan, and does not limit plans without quotas', () => {
  const allowance = new DayAllowance();
  const large = { perDay: 900, perMonth: null };
  for (let count = 0; count < 9_000; count += 1) allowance.consume('a', large, NOON);
  expect(allowance.consume('a', large, NOON)).toMatchObject({ limit: 9_000 });
  for (let count = 0; count < 9_000; count += 1) {
    expect(allowance.consume('b', { perDay: null, perMonth: null }, NOON)).toBeNull();
  }
});
