import { expect, test } from 'vitest';
import { selectionFrom, readUsageSearch } from './usage-search.ts';

/** The evening of November 21 in New York. */
const NOW = Date.parse('2026-11-22T01:20:00Z');

test('shows the last 30 New York days by status class by default', () => {
  const { query, step, split, to } = selectionFrom({}, NOW);
  expect(query).toEqual({ by: 'day', split: 'status-class', from: '2026-10-23T04:00:00.000Z' });
  const hourEnd = Date.parse('2026-11-22T02:00:00Z');
  expect([step, split, to]).toEqual(['day', 'status-class', hourEnd]);
});

test('uses daily steps for usage ranges longer than two months', () => {
  const week = selectionFrom({ range: '7d', by: 'hour' }, NOW);
  const quarter = selectionFrom({ range: '90d', by: 'hour' }, NOW);
  expect([week.step, week.canHour, quarter.step, quarter.canHour]).toEqual([
    'hour',
    true,
    'day',
    false,
  ]);
});

test('includes the whole last day of a past usage range', () => {
  const search = { range: 'custom' as const, from: '2026-11-02', to: '2026-11-03' };
  expect(selectionFrom(search, NOW).query).toMatchObject({
    from: '2026-11-02T05:00:00.000Z',
    to: '2026-11-04T05:00:00.000Z',
  });
});

test('corrects usage ranges that are reversed or too long', () => {
  const reversed = { range: 'custom' as const, from: '2026-11-09', to: '2026-11-03' };
  const long = { range: 'custom' as const, from: '2020-01-01', to: '2026-11-03' };
  expect(selectionFrom(reversed, NOW).query.from).toBe('2026-10-05T04:00:00.000Z');
  const { from, to } = selectionFrom(long, NOW);
  expect((to - from) / 86_400_000).toBeLessThanOrEqual(400.1);
});

test('drops invalid usage parameters from the URL', () => {
  const search = { range: 'week', by: 'day', split: 7, from: '2026-02-30', keyId: '' };
  expect(readUsageSearch(search)).toEqual({ by: 'day' });
});
