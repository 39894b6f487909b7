import { expect, test } from 'vitest';
import { readQuarantineSearch } from '../quarantine/quarantine-search.ts';
import { readRunsSearch } from '../runs/runs-search.ts';
import { oneOf, readTextParams } from './search.ts';

test('reads only the listed search parameters', () => {
  const parsed = readTextParams({ symbol: 'QPR', date: '', other: 'x', search: ['a'] }, [
    'symbol',
    'date',
    'search',
  ]);
  expect(parsed).toEqual({ symbol: 'QPR' });
});

test('reads a numeric search parameter as text', () => {
  expect(readTextParams({ search: 2026 }, ['search'])).toEqual({ search: '2026' });
});

test('drops search parameters whose values are not allowed', () => {
  expect(oneOf(['open', 'accepted'], 'lost')).toBeUndefined();
  expect(readQuarantineSearch({ state: 'lost', reason: 'bad-date' })).toEqual({
    reason: 'bad-date',
  });
  expect(readRunsSearch({ outcome: 'x', before: 'y', provider: 'sec' })).toEqual({
    provider: 'sec',
  });
  expect(readRunsSearch({ before: '41', outcome: 'rejected' })).toEqual({
    before: 41,
    outcome: 'rejected',
  });
});
