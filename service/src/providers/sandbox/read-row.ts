import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parsePlain } from '../../domain/dirty-number.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import { entityKeyOrNull, readText, readWith, required, requireSymbol } from '../kit/fields.ts';
import { isJsonObject, type JsonObject, requireJson } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';

/**
 * Readers for the bodies in `wire.ts`. The sandbox generates these bodies, but they are read like
 * untrusted ones.
 */

export function claimsKind(response: SourceResponse, kind: string): boolean {
  return response.url.startsWith(`sandbox://market/${kind}?`);
}

/** Reads every row in the body; throws `SourceResponseError` for a body of a different kind. */
export function parseRows<Row extends ParsedRow>(
  response: SourceResponse,
  kind: string,
  dataset: Row['dataset'],
  read: (row: JsonObject) => Row,
): ParseResult<Row> {
  const entityKeyOf = (row: unknown): string | null => entityKeyOrNull(row, 'symbol');
  return readRows({ dataset, rows: bodyRows(response, kind), entityKeyOf, read });
}

/** Returns the rows in the body; throws `SourceResponseError` for a body of a different kind. */
export function bodyRows(response: SourceResponse, kind: string): unknown[] {
  const body = requireJson(response);
  if (isJsonObject(body) && body['sandbox'] === kind && Array.isArray(body['rows'])) {
    return body['rows'];
  }
  throw new SourceResponseError('damaged', 'unexpected-shape', `not a body of kind ${kind}`);
}

export function symbol(row: JsonObject): string {
  return requireSymbol(row, 'symbol');
}

export function text(row: JsonObject, key: string): string {
  return required(readText(row, key), key);
}

export function decimal(row: JsonObject, key: string): Decimal {
  return required(readWith(row, key, parsePlain), key);
}

/** Reads a positive price or size. */
export function amount(row: JsonObject, key: string): Decimal {
  const value = decimal(row, key);
  if (value === '0' || value.startsWith('-'))
    throw new RowError('bad-number', `${key} is ${value}`);
  return value;
}

export function integer(row: JsonObject, key: string, min: number, max: number): number {
  const value = row[key];
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new RowError('bad-number', `${key} is not a whole number from ${min} to ${max}`);
}

export function date(row: JsonObject, key: string): LocalDate {
  return required(readWith(row, key, parseIsoDate), key);
}

export function instant(row: JsonObject, key: string): Instant {
  const value = readWith(row, key, parseInstant);
  if (value === null) throw new RowError('bad-date', `${key} is not an instant`);
  return value;
}

/** Returns the object in `key`, or null if it is null. */
export function group(row: JsonObject, key: string): JsonObject | null {
  const value = row[key];
  if (value === null || isJsonObject(value)) return value;
  throw new RowError('wrong-type', `${key} is not an object`);
}
