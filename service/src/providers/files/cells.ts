import { parseMonthYear, monthEnd } from '../../domain/dirty-date.ts';
import { parseJsonNumber } from '../../domain/dirty-number.ts';
import { DirtyValueError, isEmptyMark } from '../../domain/dirty-value-error.ts';
import { type Decimal, decimalPlaces, decimalToNumber, roundTo } from '../../domain/decimal.ts';
import {
  type LocalDate,
  makeLocalDate,
  monthOf,
  parseLocalDate,
  yearOf,
} from '../../domain/local-date.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import {
  positiveOrNull,
  readRaw,
  readText,
  readWith,
  required,
  requireSymbol as readSymbol,
} from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import { parseNumber } from './parse-number.ts';

/**
 * Reads one cell of an operator's file and returns null for an empty cell. `accepted` describes the
 * accepted values, for messages about invalid rows.
 */
export type CellReader<T> = ((row: JsonObject, name: string) => T) & { accepted?: string };

/** Returns the reader with a description of the values that it accepts. */
export function accepting<T>(
  accepted: string,
  read: (row: JsonObject, name: string) => T,
): CellReader<T> {
  return Object.assign((row: JsonObject, name: string) => read(row, name), { accepted });
}

/** Returns the reader for a column that must have a value. */
export function mandatory<T>(read: CellReader<T | null>): CellReader<T> {
  return accepting(read.accepted ?? 'text', (row, name) => required(read(row, name), name));
}

export const requireSymbol = accepting('a ticker, such as AAPL or BRK.B', readSymbol);

/** Reads a number as `parseNumber` does, or a JSON number. */
export const readDecimal = accepting('a number, such as 1.25', decimalOrNull);

/** Like `readDecimal`, but returns null for zero and rejects negative values. */
export const readPositive = accepting('a number above zero, such as 1.25', (row, name) =>
  positiveOrNull(decimalOrNull(row, name), name),
);

/** Returns a reader for whole numbers from `min` to `max`; `1.0` is one of them. */
export function wholeNumber(min: number, max: number): CellReader<number | null> {
  return accepting(`a whole number from ${min} to ${max}`, (row, name) => {
    const value = decimalOrNull(row, name);
    if (value !== null && decimalPlaces(value) > 0) {
      throw new RowError('bad-number', `${name} is ${value}`);
    }
    return inRange(value, name, { min, max });
  });
}

/** Like `wholeNumber`, but rounds half away from zero, for counts that vendors adjust. */
export function roundedNumber(min: number, max: number): CellReader<number | null> {
  return accepting(`a number from ${min} to ${max}`, (row, name) => {
    const value = decimalOrNull(row, name);
    return inRange(value === null ? null : roundTo(value, 0), name, { min, max });
  });
}

/** Reads a day in the forms that leave no doubt about its month. */
export const readDate = accepting(
  'a day, such as 2026-11-19, 20261119 or Nov 19, 2026; 11/19/2026 only if some day in the file is above 12',
  (row, name) => readWith(row, name, parseDay),
);

/** Reads an RFC 3339 time with an offset or `Z`. */
export const readInstant = accepting(
  'a time with its offset, such as 2026-11-19T16:05:00-05:00',
  (row, name): Instant | null => {
    const text = readText(row, name);
    const instant = text === null ? null : parseInstant(text);
    if (text !== null && instant === null) throw new RowError('bad-date', `${name} is ${text}`);
    return instant;
  },
);

/** The last day of a fiscal period, and whether the file states that day or only its month. */
export interface PeriodEnd {
  fiscalPeriodEnd: LocalDate;
  fiscalPeriodPrecision: 'day' | 'month';
}

/** Reads the last day of a fiscal period, or only its month: `2026-09-26`, `2026-09`, `Sep 2026`. */
export const readPeriodEnd = accepting(
  'the last day or the month of a quarter, such as 2026-09-26 or 2026-09',
  (row, name): PeriodEnd | null => {
    const text = readText(row, name);
    if (text === null) return null;
    const first = parseLocalDate(`${text}-01`);
    const month = first ?? (/^[A-Z][a-z]{2}[/ ]\d{4}$/.test(text) ? parseMonthYear(text) : null);
    if (month === null) {
      const day = parseDay(text);
      return day === null ? null : { fiscalPeriodEnd: day, fiscalPeriodPrecision: 'day' };
    }
    const yearMonth =
      typeof month === 'string' ? { year: yearOf(month), month: monthOf(month) } : month;
    return { fiscalPeriodEnd: monthEnd(yearMonth), fiscalPeriodPrecision: 'month' };
  },
);

/**
 * Returns a reader for one of the given words in any case, or one of their other spellings. An exact
 * word takes precedence over a placeholder, because `none` may be a word.
 */
export function oneOf<T extends string>(
  words: readonly T[],
  spellings: Readonly<Record<string, T>> = {},
): CellReader<T | null> {
  const bySpelling = new Map(Object.entries(spellings));
  return accepting(`one of ${words.join(', ')}`, (row, name) => {
    const raw = readRaw(row, name)?.trim() ?? '';
    const exact = words.find((candidate) => candidate === raw);
    if (exact !== undefined) return exact;
    const text = readText(row, name);
    if (text === null) return null;
    const folded = foldWord(text);
    const word =
      words.find((candidate) => foldWord(candidate) === folded) ?? bySpelling.get(folded);
    if (word !== undefined) return word;
    throw new RowError('bad-word', `${name} is ${text}`);
  });
}

/** Returns the lower-case letters and digits of a word or a column name. */
export function foldWord(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns a reader for text that matches a pattern. */
export function matching(shape: RegExp, accepted: string): CellReader<string | null> {
  return accepting(accepted, (row, name) => {
    const text = readText(row, name);
    if (text === null || shape.test(text)) return text;
    throw new RowError('bad-shape', `${name} is ${text}`);
  });
}

export const readCurrency = accepting('a currency code, such as USD', (row, name) => {
  const code = readText(row, name)?.toUpperCase() ?? null;
  if (code === null || /^[A-Z]{3}$/.test(code)) return code;
  throw new RowError('bad-shape', `${name} is ${code}`);
});

export const readUrl = matching(/^https?:\/\/[^\s"<>]+$/, 'an address, such as https://…');

/** Reads a CIK of up to ten digits, given as text or a number, and pads it to ten digits. */
export const readCik = accepting('a CIK of up to ten digits', (row, name): string | null => {
  const cell = row[name];
  const text = typeof cell === 'number' ? String(cell) : readText(row, name);
  if (text === null) return null;
  const digits = /^(?:CIK)?(\d{1,10})(?:\.0)?$/i.exec(text)?.[1];
  if (digits === undefined) throw new RowError('bad-cik', `${name} is ${text}`);
  return digits.padStart(10, '0');
});

function decimalOrNull(row: JsonObject, name: string): Decimal | null {
  if (typeof row[name] === 'number') return parseJsonNumber(row[name]);
  return readWith(row, name, parseNumber);
}

function inRange(
  value: Decimal | null,
  name: string,
  { min, max }: { min: number; max: number },
): number | null {
  const number = value === null ? null : decimalToNumber(value);
  if (number === null || (number >= min && number <= max)) return number;
  throw new RowError('bad-number', `${name} is ${value}`);
}

/** A time of midnight, which programs add to a day. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?$/;

/** Parses `2026-11-19`, `20261119`, `2026/11/19`, `19-Nov-2026`, `Nov 19, 2026`. */
function parseDay(text: string): LocalDate | null {
  if (isEmptyMark(text)) return null;
  const day = text.trim().replace(MIDNIGHT, '');
  const numeric = /^(\d{4})([-/]?)(\d{2})\2(\d{2})$/.exec(day);
  const dayFirst = /^(\d{1,2})[- ]([a-z]{3})[a-z]*[- ,]+(\d{4})$/i.exec(day);
  const monthFirst = /^([a-z]{3})[a-z]*[- ](\d{1,2})[- ,]+(\d{4})$/i.exec(day);
  const date =
    numeric === null
      ? makeLocalDate(
          Number(dayFirst?.[3] ?? monthFirst?.[3]),
          monthNumber(dayFirst?.[2] ?? monthFirst?.[1]),
          Number(dayFirst?.[1] ?? monthFirst?.[2]),
        )
      : makeLocalDate(Number(numeric[1]), Number(numeric[3]), Number(numeric[4]));
  if (date === null) throw new DirtyValueError('date', 'day', text);
  return date;
}
