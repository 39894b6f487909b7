import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalFromNumber, divideDecimals } from './decimal.ts';
import {
  addFractions,
  compareFractions,
  divideFractions,
  fractionOf,
  multiplyFractions,
  percentChange,
  roundFraction,
} from './fraction.ts';

test.each([
  ['0', 4, '0'],
  ['1.00005', 4, '1.0001'],
  ['-1.00005', 4, '-1.0001'],
  ['1.00004999', 4, '1'],
  ['-0.00004', 4, '0'],
  ['1200', 0, '1200'],
  ['99.5', 0, '100'],
  ['0.05', 1, '0.1'],
  ['+0.50', 1, '0.5'],
  ['-007.5', 1, '-7.5'],
])('rounds the fraction %s at %i decimals to %s', (text, places, rounded) => {
  expect(roundFraction(fractionOf(text), places)).toBe(rounded);
});

test('computes the change from 1.60 to 1.68 as exactly 5 percent and keeps fractions in lowest terms', () => {
  const five = { numerator: 5n, denominator: 1n };
  expect(percentChange(fractionOf('1.60'), fractionOf('1.68'))).toEqual(five);
  expect(percentChange(fractionOf('-2'), fractionOf('-2.1'))).toEqual(five);
  expect(percentChange(fractionOf('0'), fractionOf('1'))).toBeNull();
});

test.each(['', '1e3', 'NaN', '.5'])('rejects %j as a fraction', (text) => {
  expect(() => fractionOf(text)).toThrow(RangeError);
});

const number = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
const decimal = fc
  .tuple(number, fc.integer({ min: 0, max: 6 }))
  .map(([units, places]) => decimalFromNumber(Number(`${units}e-${places}`)) ?? '0');

test('rounds fractions to the same digits as decimal division', () => {
  fc.assert(
    fc.property(decimal, decimal, fc.integer({ min: 0, max: 8 }), (left, right, places) => {
      const quotient = divideFractions(fractionOf(left), fractionOf(right));
      const shown = quotient === null ? null : roundFraction(quotient, places);
      expect(shown).toBe(divideDecimals(left, right, places));
    }),
  );
});

test('satisfies the distributive law for fractions and orders them by their difference', () => {
  fc.assert(
    fc.property(decimal, decimal, decimal, (a, b, c) => {
      const [x, y, z] = [fractionOf(a), fractionOf(b), fractionOf(c)];
      const outside = multiplyFractions(x, addFractions(y, z));
      const inside = addFractions(multiplyFractions(x, y), multiplyFractions(x, z));
      expect(outside).toEqual(inside);
      expect(compareFractions(x, y)).toBe(Math.sign(Number(a) - Number(b)));
    }),
  );
});
