import { expect, test } from 'vitest';
import { chooseEncoding, prefersHtml, parseAccept, memoizeHeader, qualityOf } from './accept.ts';

test.each([
  ['', true],
  [' , ,', true],
  ['*/*', true],
  ['application/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['text/html, */*;q=0.1', true],
  ['application/*;q=0, application/json', true],
  ['text/html', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
  ['application/json;q=high', false],
])('checks whether Accept %j allows JSON: %s', (accept, expected) => {
  expect(qualityOf(parseAccept(accept), 'application/json') > 0).toBe(expected);
});

test.each([
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['deflate, zstd', 'identity'],
] as const)('chooses the encoding for Accept-Encoding %j: %s', (acceptEncoding, expected) => {
  expect(chooseEncoding(acceptEncoding)).toBe(expected);
});

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['*/*', false],
  ['', false],
  ['application/json', false],
  ['text/html;q=0.5, application/json', false],
])('checks whether Accept %j prefers HTML: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});

test('parses a repeated header only once, and does not cache oversized headers', () => {
  let reads = 0;
  const read = memoizeHeader((text: string) => `${text.length} ${(reads += 1)}`);
  expect([read('br'), read('br')]).toEqual(['2 1', '2 1']);
  const long = 'a'.repeat(257);
  expect([read(long), read(long)]).toEqual(['257 2', '257 3']);
});
