import { expect, test } from 'vitest';
import { readPriceRange } from './price-range.ts';

test.each([
  ['14.00-16.00', '14', '16'],
  ['$14.00 - $16.50', '14', '16.5'],
  ['10.00', '10', '10'],
  ['N/A', null, null],
  ['', null, null],
  ['0.00', null, null],
])('%j is from %s to %s', (price, low, high) => {
  expect(readPriceRange({ price }, 'price')).toEqual({ low, high });
});

test.each(['16.00-14.00', '14.00-16.00-18.00', 'about 14', '-14.00', 14])(
  '%j is no price and no range',
  (price) => {
    expect(() => readPriceRange({ price }, 'price')).toThrow(/price|dollar/);
  },
);

test('a row that does not speak of a price has none', () => {
  expect(readPriceRange({}, 'price')).toEqual({ low: null, high: null });
});
