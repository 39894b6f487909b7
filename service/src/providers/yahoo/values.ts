import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import { DirtyValueError, describeValue } from '../../domain/dirty-value-error.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { fromEpochDay, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { isJsonObject } from '../kit/json.ts';

const PLACES = 6;
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(1900, 0, 2);
const LAST = Date.UTC(2100, 11, 31);
/** Digits that tell every price in single precision apart. */
const SINGLE_DIGITS = [6, 7, 8, 9];

/** A figure as it stands or as `{raw, fmt}`; `{}` and stand-ins are how sources write "no value". */
export function readFigure(value: unknown): Decimal | null {
  const raw = rawOf(value);
  return unlessStandIn(parseJsonNumber(typeof raw === 'number' ? shorten(raw) : raw));
}

/**
 * A price of a chart. They are kept in single precision and sent in double, so that 119.03 comes as
 * 119.02999877929688: the shortest number that is the same in single precision is the price.
 */
export function readPrice(value: unknown): Decimal | null {
  if (typeof value !== 'number' || Math.fround(value) !== value) return readFigure(value);
  const texts = SINGLE_DIGITS.map((digits) => Number(value.toPrecision(digits)));
  return parseJsonNumber(
    shorten(texts.find((candidate) => Math.fround(candidate) === value) ?? value),
  );
}

/** Whole seconds since 1970, before it too: charts begin in the sixties. */
export function readTimestamp(value: unknown): Instant | null {
  const raw = rawOf(value);
  if (raw === null || raw === undefined) return null;
  const at = typeof raw === 'number' && Number.isInteger(raw) ? raw * 1000 : Number.NaN;
  if (at >= FIRST && at <= LAST) return at;
  throw new DirtyValueError('date', 'epoch seconds', describeValue(raw));
}

/**
 * The day a moment stands for: midnight UTC is how the source writes a day without a time; anything
 * else is a time of that day in New York, where the exchanges are.
 */
export function dayOf(at: Instant): LocalDate {
  return at % DAY_MS === 0 ? fromEpochDay(at / DAY_MS) : newYorkDate(at);
}

/** Whether a moment is a bare day, so that its time says nothing. */
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
