import { expect, it, test } from 'vitest';
import { readPriceRange, readProposedSymbol } from './ipo-fields.ts';

test.each([
  ['14.00-16.00', '14', '16'],
  ['$14.00 - $16.50', '14', '16.5'],
  ['10.00', '10', '10'],
  ['N/A', null, null],
  ['', null, null],
  ['0.00', null, null],
])('reads the IPO price %j as a range from %s to %s', (price, low, high) => {
  expect(readPriceRange({ price }, 'price')).toEqual({ low, high });
});

test.each(['16.00-14.00', '14.00-16.00-18.00', 'about 14', '-14.00', 14])(
  'rejects %j as an IPO price or range',
  (price) => {
    expect(() => readPriceRange({ price }, 'price')).toThrow(/price|dollar/);
  },
);

test('returns no price for a row without a price column', () => {
  expect(readPriceRange({}, 'price')).toEqual({ low: null, high: null });
});

it.each(['', ' ', '--', '—', 'N/A', 'n/a', 'None', 'null', 'TBA', 'tbd'])(
  'reads the proposed ticker %j as not yet known',
  (text) => {
    expect(readProposedSymbol({ symbol: text }, 'symbol')).toBeNull();
  },
);

it('returns no proposed ticker for a row without a ticker column', () => {
  expect(readProposedSymbol({}, 'symbol')).toBeNull();
});

it.each([
  ['NA', 'NA'],
  ['NAN', 'NAN'],
  [' NONE ', 'NONE'],
  ['cldv/u', 'CLDV.U'],
])('reads the proposed ticker %j as %s', (text, symbol) => {
  expect(readProposedSymbol({ symbol: text }, 'symbol')).toBe(symbol);
});

it('rejects a proposed ticker that cannot be a ticker', () => {
  expect(() => readProposedSymbol({ symbol: '$$$' }, 'symbol')).toThrow(
    expect.objectContaining({ reason: 'bad-symbol' }),
  );
});
