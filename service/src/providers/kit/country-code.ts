import { isEmptyMark } from '../../domain/dirty-value-error.ts';
import { readRaw } from './fields.ts';
import type { JsonObject } from './json.ts';
import { RowError } from './row-error.ts';

/** Two letters of ISO 3166-1: `NA` is Namibia, not a mark of "no value". Else `bad-country`. */
export function readCountryCode(row: JsonObject, key: string): string | null {
  const code = readRaw(row, key)?.trim() ?? '';
  if (/^[A-Z]{2}$/.test(code)) return code;
  if (isEmptyMark(code)) return null;
  throw new RowError('bad-country', `${key} is ${JSON.stringify(code)}`.slice(0, 100));
}
