import { expect, test } from 'vitest';
import { readRequestsSearch, withFilter } from './requests-search.ts';

test('keeps the request log filters from a link and drops invalid ones', () => {
  const search = { path: '/v1/earnings', status: '4xx', before: 77, other: 'x' };
  expect(readRequestsSearch(search)).toEqual({ path: '/v1/earnings', status: '4xx', before: 77 });
  expect(readRequestsSearch({ status: 404 })).toEqual({ status: '404' });
  expect(readRequestsSearch({ status: '9xx', before: -1, keyId: '' })).toEqual({});
});

test('returns to the first page of the request log when a filter changes, and removes empty filters', () => {
  const search = { path: '/v1', status: '4xx', before: 77 };
  expect(withFilter(search, { status: '5xx' })).toEqual({ path: '/v1', status: '5xx' });
  expect(withFilter(search, { path: '' })).toEqual({ status: '4xx' });
  expect(withFilter(search, { status: null })).toEqual({ path: '/v1' });
});
