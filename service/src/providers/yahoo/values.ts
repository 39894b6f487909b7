import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import { describeValue, DirtyValueError } from '../../domain/dirty-value-error.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { fromEpochDay, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { isJsonObject } from '../kit/json.ts';

const PLACES = 6;
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(1900, 0, 2);
const LAST = Date.UTC(2100, 11, 31);
/**
 * Precisions to try, in significant digits; nine digits distinguish every single-precision price.
 */
const SINGLE_DIGITS = [6, 7, 8, 9];

/**
 * Reads a figure given as a number or as `{raw, fmt}`; `{}` and sentinel values mean "no value".
 */
export function readFigure(value: unknown): Decimal | null {
  const raw = rawOf(value);
  return unlessStandIn(parseJsonNumber(typeof raw === 'number' ? shorten(raw) : raw));
}

/**
 * Reads a chart price. The source stores single precision and sends double precision, so that
 * 119.03 arrives as 119.02999877929688. Returns the shortest number with the same single-precision
 * value.
 */
export function readPrice(value: unknown): Decimal | null {
  if (typeof value !== 'number' || Math.fround(value) !== value) return readFigure(value);
  const texts = SINGLE_DIGITS.map((digits) => Number(value.toPrecision(digits)));
  return parseJsonNumber(
    shorten(texts.find((candidate) => Math.fround(candidate) === value) ?? value),
  );
}

/** Reads whole seconds since 1970. They may be negative, since charts begin in the 1960s. */
export function readTimestamp(value: unknown): Instant | null {
  const raw = rawOf(value);
  if (raw === null || raw === undefined) return null;
  const at = typeof raw === 'number' && Number.isInteger(raw) ? raw * 1000 : Number.NaN;
  if (at >= FIRST && at <= LAST) return at;
  throw new DirtyValueError('date', 'epoch seconds', describeValue(raw));
}

/**
 * Returns the date of a timestamp. The source writes midnight UTC for a date without a time; any
 * other timestamp is a time in New York.
 */
export function dayOf(at: Instant): LocalDate {
  return at % DAY_MS === 0 ? fromEpochDay(at / DAY_MS) : newYorkDate(at);
}

/** Returns true if the timestamp is a date without a time. */
export function isDateOnly(at: Instant): boolean {
  return at % DAY_MS === 0;
}

function rawOf(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.hasOwn(value, 'raw') ? value['raw'] : null;
}

function shorten(value: number): number {
  return Math.abs(value) < 1e12 ? Number(value.toFixed(PLACES)) : value;
}
