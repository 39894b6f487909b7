import { isEmptyMark } from '../../domain/dirty-value-error.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { cleanText, isStorableText } from './clean-text.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

const TEXT_LENGTH_MAX = 500;

/**
 * Readers for one field of an untrusted row. They return null for an absent value, null, or a
 * placeholder for "no value", and throw a `RowError` for a wrong type or unstorable text.
 */

/** Returns display text with entities decoded and tags removed, trimmed. */
export function readText(row: JsonObject, key: string): string | null {
  const raw = readRaw(row, key);
  return raw === null ? null : cleanText(raw);
}

/** Reads text with a strict parser; a `DirtyValueError` from `parse` is passed on. */
export function readWith<T>(
  row: JsonObject,
  key: string,
  parse: (text: string) => T | null,
): T | null {
  const raw = readRaw(row, key);
  return raw === null ? null : parse(raw);
}

/** Returns the canonical symbol. Throws `bad-symbol` if there is none. */
export function requireSymbol(row: JsonObject, key: string): string {
  const raw = readRaw(row, key);
  const symbol = raw === null ? null : parseSymbol(raw);
  if (symbol === null) throw new RowError('bad-symbol', `${key} is ${JSON.stringify(raw)}`);
  return symbol;
}

/** Returns the value. Throws `missing-field` if the value is null. */
export function required<T>(value: T | null, key: string): T {
  if (value === null) throw new RowError('missing-field', `${key} has no value`);
  return value;
}

/**
 * Returns null for zero and throws `bad-number` for negative values. Used for prices, share counts
 * and market values, where sources write zero for "unknown".
 */
export function positiveOrNull(value: Decimal | null, key: string): Decimal | null {
  if (value?.startsWith('-')) throw new RowError('bad-number', `${key} is ${value}`);
  return value === '0' ? null : value;
}

/** Returns an entity key for an invalid row, or null; never throws. */
export function entityKeyOrNull(row: unknown, key: string): string | null {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : null;
  return typeof value === 'string' ? parseSymbol(value) : null;
}

/** Returns the text unchanged after checking its type, length and storability. */
export function readRaw(row: JsonObject, key: string): string | null {
  const value = Object.hasOwn(row, key) ? row[key] : null;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new RowError('wrong-type', `${key} is a ${typeof value}`);
  if (!isStorableText(value)) {
    throw new RowError('unclean-text', `${key} contains NUL or a lone surrogate`);
  }
  if (value.length > TEXT_LENGTH_MAX) {
    throw new RowError('overlong-text', `${key} has ${value.length} characters`);
  }
  return value;
}

/**
 * Returns a two-letter ISO 3166-1 code. `NA` is Namibia, not "no value". Throws `bad-country` for
 * other text.
 */
export function readCountryCode(row: JsonObject, key: string): string | null {
  const code = readRaw(row, key)?.trim() ?? '';
  if (/^[A-Z]{2}$/.test(code)) return code;
  if (isEmptyMark(code)) return null;
  throw new RowError('bad-country', `${key} is ${JSON.stringify(code)}`.slice(0, 100));
}

const PUBLISHED_LENGTH_MAX = 60;

/**
 * Returns a figure as published, such as `0.4%` or `1.25M`. Throws `overlong-text` for a sentence.
 */
export function readPublishedText(row: JsonObject, key: string): string | null {
  const text = readText(row, key);
  if (text === null || text.length <= PUBLISHED_LENGTH_MAX) return text;
  throw new RowError('overlong-text', `${key} has ${text.length} characters`);
}
