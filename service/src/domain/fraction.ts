import type { Decimal } from './decimal.ts';

/**
 * An exact quotient. It exists because a price divided by three and a mean of twenty volumes have
 * no finite decimal form, and a move of exactly 5 % must not be confused with a slightly smaller
 * one. A fraction is always in lowest terms with a positive denominator, so equal values have equal
 * parts.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Matches decimals without an exponent. Values may have either sign and up to 40 digits before and
 * after the point.
 */
const SHAPE = /^[+-]?\d{1,40}(\.\d{1,40})?$/;

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };

/** Converts a decimal to a fraction. Throws a RangeError if the text isn't a decimal. */
export function fractionOf(value: Decimal): Fraction {
  if (!SHAPE.test(value)) throw new RangeError(`not a decimal: ${value.slice(0, 60)}`);
  const point = value.indexOf('.');
  if (point < 0) return { numerator: BigInt(value), denominator: 1n };
  const digits = value.slice(0, point) + value.slice(point + 1);
  return reduce(BigInt(digits), 10n ** BigInt(value.length - point - 1));
}

export function addFractions(left: Fraction, right: Fraction): Fraction {
  return reduce(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  );
}

export function multiplyFractions(left: Fraction, right: Fraction): Fraction {
  return reduce(left.numerator * right.numerator, left.denominator * right.denominator);
}

/** Returns the quotient, or null for division by zero. */
export function divideFractions(left: Fraction, right: Fraction): Fraction | null {
  if (right.numerator === 0n) return null;
  return reduce(left.numerator * right.denominator, left.denominator * right.numerator);
}

export function absoluteFraction(value: Fraction): Fraction {
  return value.numerator < 0n
    ? { numerator: -value.numerator, denominator: value.denominator }
    : value;
}

export function compareFractions(left: Fraction, right: Fraction): -1 | 0 | 1 {
  const [a, b] = [left.numerator * right.denominator, right.numerator * left.denominator];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns (to − from) / from × 100, or null if `from` is zero. */
export function percentChange(from: Fraction, to: Fraction): Fraction | null {
  return divideFractions(
    reduce(
      (to.numerator * from.denominator - from.numerator * to.denominator) * 100n,
      to.denominator * from.denominator,
    ),
    from,
  );
}

/** Returns decimal text with up to `places` decimals, rounded half away from zero. */
export function roundFraction(value: Fraction, places: number): Decimal {
  const scaled =
    (value.numerator < 0n ? -value.numerator : value.numerator) * 10n ** BigInt(places);
  const digits = ((scaled * 2n + value.denominator) / (value.denominator * 2n))
    .toString()
    .padStart(places + 1, '0');
  const cut = digits.length - places;
  const decimals = digits.slice(cut).replace(/0+$/, '');
  const text = decimals === '' ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${decimals}`;
  return value.numerator < 0n && text !== '0' ? `-${text}` : text;
}

function reduce(numerator: bigint, denominator: bigint): Fraction {
  const common = greatestCommonDivisor(
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
  );
  const divisor = denominator < 0n ? -common : common;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
