import { expect, test } from 'vitest';
import type { Quota } from '../api/calls.gen.ts';
import { paceOf, windowStart } from './pace.ts';

const DAY: Quota = { window: 'day', limit: 100, used: 30, resetAt: '2026-11-23T05:00:00Z' };
const MONTH: Quota = { window: 'month', limit: 1_000, used: 600, resetAt: '2026-12-01T05:00:00Z' };

test('starts daily and monthly quota windows at New York midnight', () => {
  expect(new Date(windowStart(DAY)).toISOString()).toBe('2026-11-22T05:00:00.000Z');
  // November 1 starts before the clock change, so the offset from UTC is still four hours.
  expect(new Date(windowStart(MONTH)).toISOString()).toBe('2026-11-01T04:00:00.000Z');
});

test('projects usage that stays below the limit, without a time at which the quota runs out', () => {
  const noon = Date.parse('2026-11-22T17:00:00Z');
  expect(paceOf(DAY, noon)).toEqual({
    usedShare: 0.3,
    elapsedShare: 0.5,
    expected: 60,
    fullAt: null,
  });
});

test('projects when the quota runs out', () => {
  const sixth = Date.parse('2026-11-22T11:00:00Z');
  const { expected, fullAt } = paceOf({ ...DAY, used: 50 }, sixth);
  expect(expected).toBe(200);
  expect(new Date(fullAt ?? 0).toISOString()).toBe('2026-11-22T17:00:00.000Z');
});

test('makes no projection shortly after a quota window starts', () => {
  const early = Date.parse('2026-11-22T05:05:00Z');
  expect(paceOf({ ...DAY, used: 90 }, early)).toMatchObject({ expected: null, fullAt: null });
});

test('does not project when a quota runs out if it is already exhausted', () => {
  const noon = Date.parse('2026-11-22T17:00:00Z');
  expect(paceOf({ ...DAY, used: 100 }, noon)).toMatchObject({ usedShare: 1, fullAt: null });
});

test('treats a quota with a limit of zero as fully used', () => {
  const noon = Date.parse('2026-11-22T17:00:00Z');
  expect(paceOf({ ...DAY, limit: 0, used: 0 }, noon)).toMatchObject({ usedShare: 1, fullAt: null });
});
