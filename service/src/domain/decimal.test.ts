import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  decimalFromNumber,
  decimalPlaces,
  decimalToNumber,
  divideDecimals,
  epsToNumber,
  multiplyDecimals,
  normalizeDecimal,
  roundTo,
  subtractDecimals,
  wholeToNumber,
} from './decimal.ts';

/** Generates decimals with up to 15 significant digits, in units of one ten-thousandth. */
const scaled = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });

function fromScaled(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0');
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

describe('normalizeDecimal', () => {
  it.each([
    ['1.20', '1.2'],
    ['+3', '3'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['007.50', '7.5'],
    ['25500000000', '25500000000'],
    ['0.0000001', '0.0000001'],
  ])('normalizes the decimal %s to %s', (text, normal) => {
    expect(normalizeDecimal(text)).toBe(normal);
  });

  it.each(['', '.5', '1.', '1e3', 'NaN', 'Infinity', ' 1', '1,000', '--1', '1'.repeat(50)])(
    'rejects %s as a decimal',
    (text) => {
      expect(normalizeDecimal(text)).toBeNull();
    },
  );

  it('normalizes equal decimals to equal text', () => {
    fc.assert(
      fc.property(scaled, (units) => {
        const text = fromScaled(units);
        return normalizeDecimal(text) === normalizeDecimal(`${text}00`);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds, subtracts and multiplies decimals without binary rounding errors', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(subtractDecimals('1.68', '1.60')).toBe('0.08');
    expect(multiplyDecimals('1.1', '1.1')).toBe('1.21');
    expect(divideDecimals(subtractDecimals('1.68', '1.60'), '1.60', 4)).toBe('0.05');
  });

  it('calculates with decimals as exactly as with integers', () => {
    fc.assert(
      fc.property(scaled, scaled, (left, right) => {
        const sum = addDecimals(fromScaled(left), fromScaled(right));
        expect(sum).toBe(normalizeDecimal(fromScaled(left + right)));
        const difference = subtractDecimals(fromScaled(left), fromScaled(right));
        expect(difference).toBe(normalizeDecimal(fromScaled(left - right)));
        const order = left < right ? -1 : Number(left > right);
        expect(compareDecimals(fromScaled(left), fromScaled(right))).toBe(order);
      }),
    );
  });

  it.each([
    ['1', '3', 4, '0.3333'],
    ['2', '3', 4, '0.6667'],
    ['-2', '3', 4, '-0.6667'],
    ['1', '8', 2, '0.13'],
    ['-1', '8', 2, '-0.13'],
    ['0', '5', 2, '0'],
  ])('divides the decimal %s by %s to %i decimals: %s', (left, right, places, quotient) => {
    expect(divideDecimals(left, right, places)).toBe(quotient);
  });

  it('returns null when a decimal is divided by zero', () => {
    expect(divideDecimals('1', '0.00', 4)).toBeNull();
  });

  it('removes the sign of a decimal', () => {
    expect(absoluteDecimal('-0.25')).toBe('0.25');
  });

  it("throws for a decimal argument that isn't decimal text", () => {
    expect(() => addDecimals('1', 'N/A')).toThrow(RangeError);
  });
});

describe('roundTo', () => {
  it.each([
    ['0.125', 2, '0.13'],
    ['-0.125', 2, '-0.13'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.005', 2, '1.01'],
    ['-0.001', 2, '0'],
    ['1.20', 4, '1.2'],
  ])('rounds the decimal %s at %i decimals to %s', (value, places, rounded) => {
    expect(roundTo(value, places)).toBe(rounded);
  });
});

describe('JSON numbers', () => {
  it.each([
    ['1.20', 1.2],
    ['1.2003', 1.2003],
    ['1.20034', 1.2003],
    ['1.005', 1.005],
    ['-0.4', -0.4],
  ])('converts EPS %s to the JSON number %d', (text, number) => {
    expect(epsToNumber(text)).toBe(number);
  });

  it('converts money amounts to JSON numbers in whole units', () => {
    expect(wholeToNumber('25500000000.5')).toBe(25_500_000_001);
  });

  it('converts any JSON number to decimal text that parses to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), (value) => {
        fc.pre(value === 0 || Math.abs(value) > 1e-20);
        const text = decimalFromNumber(value);
        fc.pre(text !== null);
        expect(decimalToNumber(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('returns null for a JSON number whose decimal text would not parse to the same number', () => {
    for (const value of [1e-320, -5e-41, 1.5e-40]) expect(decimalFromNumber(value)).toBeNull();
    expect(normalizeDecimal(decimalFromNumber(1e-40) ?? '')).toBe(`0.${'0'.repeat(39)}1`);
  });

  it('returns null when NaN or an infinity is converted to a decimal', () => {
    expect(decimalFromNumber(Number.NaN)).toBeNull();
    expect(decimalFromNumber(Number.NEGATIVE_INFINITY)).toBeNull();
  });

  it.each([
    ['3', 0],
    ['1.20', 1],
    ['1.2003', 4],
  ])('counts the decimals in the number %s: %i', (text, places) => {
    expect(decimalPlaces(text)).toBe(places);
  });
});
