import { expect, test } from 'vitest';
import { lastDayOf } from './last-day.ts';

const NOW = Date.parse('2026-11-22T17:20:00Z');

test('counts requests for each of the last 24 hours, ending with the current hour', () => {
  const rows = [
    { at: '2026-11-21T18:00:00Z', name: '2xx', requests: 5 },
    { at: '2026-11-22T17:00:00Z', name: '2xx', requests: 7 },
    { at: '2026-11-22T17:00:00Z', name: '4xx', requests: 2 },
  ];
  const { hours, total, failed } = lastDayOf(rows, NOW);
  expect([hours[0], hours[23], hours.slice(1, 23).every((count) => count === 0)]).toEqual([
    5,
    9,
    true,
  ]);
  expect([total, failed]).toEqual([14, 2]);
});

test('ignores requests that are older than a day', () => {
  const rows = [{ at: '2026-11-21T17:00:00Z', name: '5xx', requests: 4 }];
  expect(lastDayOf(rows, NOW)).toMatchObject({ total: 0, failed: 0 });
});
