import { expect, test } from 'vitest';
import { newYorkMidnight, startOfStep, stepsBetween } from './new-york.ts';

const HOUR_MS = 3_600_000;

function toIso(instants: readonly number[]): string[] {
  return instants.map((at) => new Date(at).toISOString());
}

test('starts a New York day at 05:00 UTC in winter and 04:00 UTC in summer', () => {
  expect(toIso([newYorkMidnight('2026-11-22'), newYorkMidnight('2026-07-01')])).toEqual([
    '2026-11-22T05:00:00.000Z',
    '2026-07-01T04:00:00.000Z',
  ]);
});

test('counts 23 or 25 hours in a day with a clock change', () => {
  const spring = newYorkMidnight('2026-03-09') - newYorkMidnight('2026-03-08');
  const autumn = newYorkMidnight('2026-11-02') - newYorkMidnight('2026-11-01');
  expect([spring / HOUR_MS, autumn / HOUR_MS]).toEqual([23, 25]);
});

test('starts hours on the hour and days at New York midnight', () => {
  const at = Date.parse('2026-11-22T03:20:00Z');
  expect(toIso([startOfStep(at, 'hour'), startOfStep(at, 'day')])).toEqual([
    '2026-11-22T03:00:00.000Z',
    '2026-11-21T05:00:00.000Z',
  ]);
});

test('moves by days across a clock change without skipping or repeating one', () => {
  const from = newYorkMidnight('2026-10-31');
  const to = newYorkMidnight('2026-11-03');
  expect(toIso(stepsBetween(from, to, 'day'))).toEqual([
    '2026-10-31T04:00:00.000Z',
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
  ]);
  expect(stepsBetween(from, to, 'hour')).toHaveLength(73);
});
