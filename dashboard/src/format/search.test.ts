import { expect, test } from 'vitest';
import { readQuarantineSearch } from '../quarantine/quarantine-search.ts';
import { readRunsSearch } from '../runs/runs-search.ts';
import { oneOf, readWords } from './search.ts';

test('only the named words of an address are read', () => {
  const read = readWords({ symbol: 'QPR', date: '', other: 'x', search: ['a'] }, [
    'symbol',
    'date',
    'search',
  ]);
  expect(read).toEqual({ symbol: 'QPR' });
});

test('a word that looks like a number stays the word it is', () => {
  expect(readWords({ search: 2026 }, ['search'])).toEqual({ search: '2026' });
});

test('a value that nobody knows is left out', () => {
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
