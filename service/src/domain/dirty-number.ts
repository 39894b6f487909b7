import { type Decimal, decimalFromNumber, normalizeDecimal, roundTo } from './decimal.ts';
import { describeValue, DirtyValueError, isEmptyMark } from './dirty-value-error.ts';

/**
 * Parsers for numbers as sources write them. Each format has its own strict function. Placeholders
 * for "no value" return null, never zero. Anything else throws a `DirtyValueError`, so that rows in
 * a new format are reported as invalid instead of silently missing. Test vectors:
 * `vectors/dirty-values/numbers.json`.
 */

const INTEGER_DIGITS_MAX = 18;
const FRACTION_DIGITS_MAX = 12;

/** Matches digits, optionally with thousands separators and a fraction. */
const AMOUNT = String.raw`(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const DOLLARS = new RegExp(String.raw`^(?:(-?)\$?(${AMOUNT})|(\()\$?(${AMOUNT})\))$`);
const PLAIN = new RegExp(`^(-?)(${AMOUNT})$`);
const SENTINEL = /^-(?:99\.99|9{3,}(?:0{3}|0{6})?(?:\.9+)?)$/;
const COUNT = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)$/;

/**
 * Parses `$1.23`, `$3`, `1,234`, `$47,076,153,012`; negative as `($0.12)`, `(0.12)` or `-$0.12`.
 */
export function parseDollars(text: string): Decimal | null {
  if (isEmptyMark(text)) return null;
  const match = DOLLARS.exec(text.trim());
  if (match === null) throw new DirtyValueError('number', 'dollar amount', text);
  const negative = match[1] === '-' || match[3] !== undefined;
  return readAmount('dollar amount', text, negative, match[2] ?? match[4] ?? '');
}

/** Parses dollars per share. Returns null for sentinel values that mean "unknown". */
export function parseEpsDollars(text: string): Decimal | null {
  return unlessStandIn(parseDollars(text));
}

/**
 * Returns the value, or null for the sentinel values that feeds use for unknown figures: minus
 * 99.99, minus 999 and similar, also in millions, such as minus 999,000,000.
 */
export function unlessStandIn(value: Decimal | null): Decimal | null {
  return value !== null && SENTINEL.test(value) ? null : value;
}

/** Parses `2.09`, `-5.13`, `4514709583000.00`, without currency sign or parentheses. */
export function parsePlain(text: string): Decimal | null {
  if (isEmptyMark(text)) return null;
  const match = PLAIN.exec(text.trim());
  if (match === null) throw new DirtyValueError('number', 'plain number', text);
  return readAmount('plain number', text, match[1] === '-', match[2] ?? '');
}

/** Parses a non-negative integer count: `10`, `52630865`, `14,526,490`. */
export function parseCount(text: string): number | null {
  if (isEmptyMark(text)) return null;
  const trimmed = text.trim();
  const value = Number(trimmed.replaceAll(',', ''));
  if (!COUNT.test(trimmed) || !Number.isSafeInteger(value)) {
    throw new DirtyValueError('number', 'count', text);
  }
  return value;
}

/**
 * Converts a JSON number to decimal text without float errors: 0.1 becomes `0.1`, and rounding
 * errors from float arithmetic, as in 1.7961999999999998, are rounded away. Null stays null.
 */
export function parseJsonNumber(value: unknown): Decimal | null {
  if (value === null || value === undefined) return null;
  const exact = typeof value === 'number' ? decimalFromNumber(value) : null;
  const text = exact === null ? null : roundTo(exact, FRACTION_DIGITS_MAX);
  if (text === null || (text === '0' && exact !== '0')) {
    throw new DirtyValueError('number', 'JSON number', describeValue(value));
  }
  return readAmount('JSON number', text, text.startsWith('-'), text.replace(/^-/, ''));
}

function readAmount(grammar: string, text: string, negative: boolean, amount: string): Decimal {
  const plain = amount.replaceAll(',', '');
  const [whole = '', fraction = ''] = plain.split('.');
  const value = normalizeDecimal(negative ? `-${plain}` : plain);
  const overlong = whole.length > INTEGER_DIGITS_MAX || fraction.length > FRACTION_DIGITS_MAX;
  if (value === null || overlong) throw new DirtyValueError('number', grammar, text);
  return value;
}
