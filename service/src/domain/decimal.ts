import { Big } from 'big.js';

/**
 * An exact decimal number as text: `-0.4`, `25500000000`. The normal form has no exponent, plus
 * sign, superfluous zeros or negative zero, so equal values have equal text. Functions throw a
 * RangeError if a `Decimal` argument isn't decimal text.
 */
export type Decimal = string;

const SHAPE = /^[+-]?\d{1,40}(\.\d{1,40})?$/;
const HALF_AWAY_FROM_ZERO = 1;

/**
 * Converts plain decimal text to its normal form. Returns null for anything else, including
 * exponents.
 */
export function normalizeDecimal(text: string): Decimal | null {
  if (!SHAPE.test(text)) return null;
  return render(new Big(text.replace(/^\+/, '')));
}

/**
 * Converts a finite JSON number to the shortest decimal text that parses to that number. Returns
 * null if the text would have too many digits, such as for 1e-320.
 */
export function decimalFromNumber(value: number): Decimal | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e40) return null;
  const text = render(new Big(String(value)));
  return SHAPE.test(text) ? text : null;
}

export function compareDecimals(left: Decimal, right: Decimal): -1 | 0 | 1 {
  return read(left).cmp(read(right));
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  return render(read(left).plus(read(right)));
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return render(read(left).minus(read(right)));
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return render(read(left).times(read(right)));
}

/**
 * Returns the quotient with `places` decimals, rounded half away from zero, or null for division by
 * zero.
 */
export function divideDecimals(left: Decimal, right: Decimal, places: number): Decimal | null {
  const divisor = read(right);
  if (divisor.eq(0)) return null;
  const Divider = Big();
  Divider.DP = places;
  Divider.RM = HALF_AWAY_FROM_ZERO;
  return render(new Divider(read(left)).div(divisor));
}

export function absoluteDecimal(value: Decimal): Decimal {
  return render(read(value).abs());
}

/** Rounds half away from zero: at two places, 0.125 becomes 0.13 and -0.125 becomes -0.13. */
export function roundTo(value: Decimal, places: number): Decimal {
  return render(read(value).round(places, HALF_AWAY_FROM_ZERO));
}

/** Returns the number of decimals: 0 for `3`, 4 for `1.2003`. */
export function decimalPlaces(value: Decimal): number {
  return render(read(value)).split('.')[1]?.length ?? 0;
}

/** Returns the closest double, for JSON. It prints the same digits if there are up to 15. */
export function decimalToNumber(value: Decimal): number {
  if (!SHAPE.test(value)) throw notDecimal(value);
  // Zero has no sign.
  return Number(value) || 0;
}

/**
 * Converts earnings per share to a JSON number with 2 decimals, or 4 if the source provides more
 * than 2.
 */
export function epsToNumber(value: Decimal): number {
  if (fractionLength(value) <= 4) return decimalToNumber(value);
  return decimalToNumber(roundTo(value, decimalPlaces(value) > 2 ? 4 : 2));
}

/**
 * Converts revenue and other amounts to a JSON number in whole units, rounded half away from zero.
 */
export function wholeToNumber(value: Decimal): number {
  if (fractionLength(value) === 0) return decimalToNumber(value);
  return decimalToNumber(roundTo(value, 0));
}

/** Returns the length of the text after the point. Most values need no rounding, which is slow. */
function fractionLength(value: Decimal): number {
  const point = value.indexOf('.');
  return point === -1 ? 0 : value.length - point - 1;
}

function notDecimal(text: string): RangeError {
  return new RangeError(`not a decimal: ${text.slice(0, 60)}`);
}

function read(text: Decimal): Big {
  if (!SHAPE.test(text)) throw notDecimal(text);
  return new Big(text.replace(/^\+/, ''));
}

function render(value: Big): Decimal {
  return value.eq(0) ? '0' : value.toFixed();
}
