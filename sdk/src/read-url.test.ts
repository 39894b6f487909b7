import { expect, test } from 'vitest';
import { type ReadParameters, readUrl } from './index.ts';

const BASE = 'https://data.example';

test.each<[string, string, string, ReadParameters, string]>([
  ['no parameters', BASE, '/v1/market-status', {}, '/v1/market-status'],
  ['a query', BASE, '/v1/calendar/earnings', { date: 'today' }, '/v1/calendar/earnings?date=today'],
  ['a flag', BASE, '/v1/x', { usmajor: true }, '/v1/x?usmajor=true'],
  ['an undefined parameter left out', BASE, '/v1/x', { date: undefined }, '/v1/x'],
  ['a path parameter', BASE, '/v1/profile/{symbol}', { symbol: 'BRK.B' }, '/v1/profile/BRK.B'],
  ['a slash in a symbol', BASE, '/v1/profile/{symbol}', { symbol: 'BRK/B' }, '/v1/profile/BRK%2FB'],
  ['an ampersand in a value', BASE, '/v1/x', { a: '1&b=2' }, '/v1/x?a=1%26b%3D2'],
  ['a trailing slash in the base', `${BASE}/`, '/v1/x', {}, '/v1/x'],
  ['a path in the base', `${BASE}/earnings/`, '/v1/x', {}, '/earnings/v1/x'],
])('builds the URL for a request with %s', (_, base, path, parameters, expected) => {
  expect(readUrl(base, path, parameters)).toBe(BASE + expected);
});

test('rejects a missing or empty path parameter', () => {
  expect(() => readUrl(BASE, '/v1/profile/{symbol}')).toThrow('needs symbol');
  expect(() => readUrl(BASE, '/v1/profile/{symbol}', { symbol: '' })).toThrow('needs symbol');
});

test('rejects a base URL that is not an absolute HTTP URL', () => {
  expect(() => readUrl('data.example', '/v1/x')).toThrow(TypeError);
  expect(() => readUrl('file:///etc', '/v1/x')).toThrow('not an http address');
});
