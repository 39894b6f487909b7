import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { PlanContext } from '../provider.ts';
import { earningsSurprise } from './earnings-surprise.ts';
import { historical } from './historical.ts';
import { quoteDividends } from './quote-dividends.ts';
import { segmentSymbol, symbolSegment } from './request.ts';

test.each([
  ['MERD', 'MERD'],
  ['HARB.B', 'HARB%25sl%25B'],
  ['QUAY.PR.A', 'QUAY%5EA'],
  ['QUAY.PR', 'QUAY%5E'],
  ['MERD.WS', 'MERD%25sl%25WS'],
])('spells %s as %s in a path, and reads it back', (symbol, segment) => {
  expect(symbolSegment(symbol)).toBe(segment);
  // The client parses the URL, which must not change the spelling.
  expect(new URL(`https://api.nasdaq.com/api/quote/${segment}/info`).pathname).toContain(segment);
  expect(segmentSymbol(segment)).toBe(symbol);
});

test.each([
  ['harb%25sl%25b', 'HARB.B'],
  ['HARB%2FB', 'HARB.B'],
  ['HARB.B', 'HARB.B'],
  ['%', null],
])('reads the path segment %s as %s', (segment, symbol) => {
  expect(segmentSymbol(segment)).toBe(symbol);
});

test('spells share classes with a doubly encoded slash in every request for one company', () => {
  const context: PlanContext = {
    now: 0,
    today: localDate('2026-11-19'),
    symbols: ['HARB.B'],
    ciks: new Map(),
    symbolsAwaitingResult: ['HARB.B'],
    setting: () => undefined,
  };
  const urls = [quoteDividends, historical, earningsSurprise].flatMap(
    (feed) => feed.plan?.(context).map(({ url }) => url) ?? [],
  );
  expect(urls.map((url) => url.split('?')[0])).toEqual([
    'https://api.nasdaq.com/api/quote/HARB%25sl%25B/dividends',
    'https://api.nasdaq.com/api/quote/HARB%25sl%25B/historical',
    'https://api.nasdaq.com/api/company/HARB%25sl%25B/earnings-surprise',
  ]);
});
