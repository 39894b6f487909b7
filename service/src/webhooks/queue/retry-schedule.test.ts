import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ATTEMPT_DELAYS_MS,
  ATTEMPTS_MAX,
  type FailedAttempt,
  nextAttemptAt,
} from './retry-schedule.ts';

const AT = Date.parse('2026-11-20T15:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function failed(over: Partial<FailedAttempt> = {}): FailedAttempt {
  return { outcomeCount: 1, at: AT, status: 500, isTimeout: false, retryAfter: null, ...over };
}

function delayOf(over: Partial<FailedAttempt>, draw = 0): number {
  return nextAttemptAt(failed(over), draw) - AT;
}

test('spreads twelve attempts over about 76 hours', () => {
  expect(ATTEMPTS_MAX).toBe(12);
  const hours = ATTEMPT_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / HOUR;
  expect(hours).toBeCloseTo(75.7, 1);
});

test.each([
  [1, 5_000],
  [2, 30_000],
  [3, 2 * MINUTE],
  [4, 10 * MINUTE],
  [5, 30 * MINUTE],
  [6, 2 * HOUR],
  [7, 5 * HOUR],
  [8, 10 * HOUR],
  [9, 14 * HOUR],
  [10, 20 * HOUR],
  [11, 24 * HOUR],
])('after %i attempts, waits %i ms before the next one', (outcomeCount, delay) => {
  expect(delayOf({ outcomeCount: outcomeCount })).toBe(delay);
});

test.each([
  ['a timeout', { status: null, isTimeout: true }],
  ['429', { status: 429 }],
  ['502', { status: 502 }],
  ['504', { status: 504 }],
])('waits at least a minute before retrying after %s', (_, over) => {
  expect(delayOf(over)).toBe(MINUTE);
  expect(delayOf({ ...over, outcomeCount: 3 })).toBe(2 * MINUTE);
});

test('applies no minimum delay before retrying after status 503', () => {
  expect(delayOf({ status: 503 })).toBe(5_000);
});

test('lets a receiver postpone the next attempt by up to a day, but not move it forward', () => {
  expect(delayOf({ retryAfter: AT + HOUR })).toBe(HOUR);
  expect(delayOf({ retryAfter: AT + 40 * HOUR })).toBe(24 * HOUR);
  expect(delayOf({ retryAfter: AT + 1, outcomeCount: 3 })).toBe(2 * MINUTE);
});

test('schedules an attempt no earlier than its delay, and later by at most a fifth of the delay and at most 15 minutes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 11 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (outcomeCount, draw) => {
        const delay = delayOf({ outcomeCount: outcomeCount });
        const drawn = delayOf({ outcomeCount: outcomeCount }, draw);
        expect(drawn).toBeGreaterThanOrEqual(delay);
        expect(drawn).toBeLessThanOrEqual(delay + Math.min(delay / 5, 15 * MINUTE) + 1);
      },
    ),
  );
});
