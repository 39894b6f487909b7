import { type Decimal, normalizeDecimal, roundTo } from '../../domain/decimal.ts';
import { DirtyValueError, isEmptyMark } from '../../domain/dirty-value-error.ts';

const WHOLE_DIGITS_MAX = 18;
const FRACTION_DIGITS_MAX = 12;

const AMOUNT = String.raw`(?<whole>[1-9]\d{0,2}(?:,\d{3})+|\d+)?(?:\.(?<fraction>\d*))?`;
const NUMBER = new RegExp(
  String.raw`^(?<open>\()?(?<sign>[+-])?\$?${AMOUNT}(?:e(?<exponent>[+-]?\d{1,2}))?(?<unit>[kmbt])?(?<close>\))?$`,
  'i',
);
const UNIT_DIGITS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };

/**
 * Parses a number as spreadsheets and data vendors write it: `1.25`, `$1,234.5`, `(0.12)`, `+3`,
 * `9.49E+10`, `94.9B`. Any number of decimals is accepted; from the 13th on, they are rounded half
 * away from zero. Placeholders for "no value" return null. Throws a `DirtyValueError` for anything
 * else, including a percentage.
 */
export function parseNumber(text: string): Decimal | null {
  if (isEmptyMark(text)) return null;
  const groups = NUMBER.exec(text.trim().replace('\u2212', '-'))?.groups;
  const { open, sign, whole = '', fraction = '', exponent = '0', unit = '', close } = groups ?? {};
  const isBalanced = (open === undefined) === (close === undefined);
  const isSignedTwice = open !== undefined && sign !== undefined;
  if (groups === undefined || whole + fraction === '' || !isBalanced || isSignedTwice) {
    throw new DirtyValueError('number', 'number', text);
  }
  const integer = whole.replaceAll(',', '');
  const pointAt = integer.length + Number(exponent) + (UNIT_DIGITS[unit.toLowerCase()] ?? 0);
  const value = decimalOf(integer + fraction, pointAt);
  if (value === null) throw new DirtyValueError('number', 'number', text);
  const isNegative = open !== undefined || sign === '-';
  return isNegative && value !== '0' ? `-${value}` : value;
}

/** Returns the digits with a decimal point at this index, or null if the number is too large. */
function decimalOf(digits: string, pointAt: number): Decimal | null {
  const padded = '0'.repeat(Math.max(0, -pointAt)) + digits.padEnd(pointAt, '0');
  const index = Math.max(0, pointAt);
  const whole = padded.slice(0, index).replace(/^0+/, '');
  if (whole.length > WHOLE_DIGITS_MAX) return null;
  // Rounding half away from zero depends only on the first dropped digit.
  const fraction = padded.slice(index, index + FRACTION_DIGITS_MAX + 1);
  const exact = normalizeDecimal(`${whole || '0'}.${fraction || '0'}`);
  return exact === null ? null : roundTo(exact, FRACTION_DIGITS_MAX);
}
