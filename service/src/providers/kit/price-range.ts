import { compareDecimals, type Decimal } from '../../domain/decimal.ts';
import { parseDollars } from '../../domain/dirty-number.ts';
import { positiveOrNull, readText } from './fields.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

export interface PriceRange {
  low: Decimal | null;
  high: Decimal | null;
}

const RANGE = /^([^\s–-]+)\s*[–-]\s*([^\s–-]+)$/;

/**
 * A price per share or a range of it: `16.00`, `$14.00-$16.00`. One price is a range of itself; no
 * value, and zero, are null on both sides. A range that falls is a `bad-range`.
 */
export function readPriceRange(row: JsonObject, key: string): PriceRange {
  const text = readText(row, key);
  if (text === null) return { low: null, high: null };
  const parts = RANGE.exec(text);
  const low = positiveOrNull(parseDollars(parts?.[1] ?? text), key);
  const high = positiveOrNull(parseDollars(parts?.[2] ?? text), key);
  if (low !== null && high !== null && compareDecimals(low, high) > 0) {
    throw new RowError('bad-range', `${key} is ${text}`);
  }
  return { low, high };
}
