import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseCount, parseJsonNumber, parsePlain } from '../../domain/dirty-number.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import { positiveOrNull, readRaw, readText, readWith } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

/** Readers for one cell in an operator's file. All of them return null for an empty cell. */

/** Reads plain decimal text (`1.20`, `-0.4`, `25,500,000`) or a JSON number. */
export function readDecimal(row: JsonObject, name: string): Decimal | null {
  if (typeof row[name] === 'number') return parseJsonNumber(row[name]);
  return readWith(row, name, parsePlain);
}

/** Like `readDecimal`, but returns null for zero and rejects negative values. */
export function readPositive(row: JsonObject, name: string): Decimal | null {
  return positiveOrNull(readDecimal(row, name), name);
}

/** Returns a reader for whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  return (row: JsonObject, name: string): number | null => {
    const cell = row[name];
    const value = typeof cell === 'number' ? cell : readWith(row, name, parseCount);
    if (value === null || (Number.isInteger(value) && value >= min && value <= max)) {
      return value;
    }
    throw new RowError('bad-number', `${name} is ${value}`);
  };
}

export function readDate(row: JsonObject, name: string): LocalDate | null {
  return readWith(row, name, parseIsoDate);
}

/** Reads an RFC 3339 time with an offset or `Z`. */
export function readInstant(row: JsonObject, name: string): Instant | null {
  const text = readText(row, name);
  const instant = text === null ? null : parseInstant(text);
  if (text !== null && instant === null) throw new RowError('bad-date', `${name} is ${text}`);
  return instant;
}

/** Returns a reader for one of the given words, which may include `none`. */
export function oneOf<T extends string>(words: readonly T[]) {
  return (row: JsonObject, name: string): T | null => {
    const raw = readRaw(row, name)?.trim();
    const word = words.find((candidate) => candidate === raw) ?? null;
    const text = readText(row, name);
    if (text === null || word !== null) return word;
    throw new RowError('bad-word', `${name} is ${text}, not one of ${words.join(', ')}`);
  };
}

/** Returns a reader for text that matches a pattern, such as a currency code. */
export function matching(shape: RegExp) {
  return (row: JsonObject, name: string): string | null => {
    const text = readText(row, name);
    if (text === null || shape.test(text)) return text;
    throw new RowError('bad-shape', `${name} is ${text}`);
  };
}

/** Reads a CIK of up to ten digits, given as text or a number, and pads it to ten digits. */
export function readCik(row: JsonObject, name: string): string | null {
  const cell = row[name];
  const text = typeof cell === 'number' ? String(cell) : readText(row, name);
  if (text === null) return null;
  const digits = /^(?:CIK)?(\d{1,10})$/i.exec(text)?.[1];
  if (digits === undefined) throw new RowError('bad-cik', `${name} is ${text}`);
  return digits.padStart(10, '0');
}
