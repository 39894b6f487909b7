import { expect, test } from 'vitest';
import type { Quota } from '../api/calls.gen.ts';
import { burnDown } from './burn-down.ts';

const DAY: Quota = { window: 'day', limit: 240, used: 30, resetAt: '2026-11-23T05:00:00Z' };
const NOW = Date.parse('2026-11-22T07:30:00Z');

function row(at: string, name: string, requests: number) {
  return { at, name, requests };
}

test('returns hourly usage points for a day, with no usage in the future', () => {
  const rows = [row('2026-11-22T05:00:00Z', '200', 10), row('2026-11-22T07:00:00Z', '404', 20)];
  const points = burnDown(DAY, rows, NOW);
  expect(points).toHaveLength(25);
  expect(points.slice(0, 5).map(({ used }) => used)).toEqual([0, 10, 10, 30, null]);
  expect(points.slice(0, 2).map(({ even }) => even)).toEqual([0, 10]);
  expect(points.at(-1)).toEqual({ at: Date.parse(DAY.resetAt), used: null, even: 240 });
});

test.each(['304', '400', '403', '406', '429', '500'])(
  'excludes responses that do not count against the quota: %s',
  (status) => {
    const rows = [row('2026-11-22T05:00:00Z', '200', 7), row('2026-11-22T06:00:00Z', status, 99)];
    const used = burnDown({ ...DAY, used: 7 }, rows, NOW).map((point) => point.used);
    expect(used.slice(0, 3)).toEqual([0, 7, 7]);
  },
);

test('ends the usage line at the quota counter, even after a plan change reset the counter', () => {
  const rows = [row('2026-11-22T05:00:00Z', '200', 100), row('2026-11-22T07:00:00Z', '200', 5)];
  const used = burnDown({ ...DAY, used: 5 }, rows, NOW).map((point) => point.used);
  expect(used.slice(0, 4)).toEqual([0, 0, 0, 5]);
});

test('returns daily usage points for a month', () => {
  const month: Quota = { window: 'month', limit: 300, used: 3, resetAt: '2026-12-01T05:00:00Z' };
  const points = burnDown(month, [row('2026-11-01T04:00:00Z', '200', 3)], NOW);
  expect(points).toHaveLength(31);
  expect(points[1]).toMatchObject({ used: 3 });
});
