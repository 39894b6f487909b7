import { writeBinaryArray } from './binary-array.ts';
import type { SqlScalar, SqlValue } from '../db.ts';
import { encodeParameter } from './types.ts';

/** Maximum number of cached statements. Statements beyond it are parsed on every call. */
const TEXTS_MAX = 1000;

const arrayTypesByStatement = new Map<string, ReadonlyMap<number, string>>();

/**
 * Encodes parameters for both engines as text, null or bytes. Bytes are for values in PostgreSQL's
 * binary format: byte arrays, and arrays whose element type is cast in the statement.
 */
export function encodeParameters(
  sql: string,
  params: readonly SqlValue[],
): (string | Uint8Array | null)[] {
  if (!params.some(isArray)) return params.map(encodeParameter);
  const types = arrayTypes(sql);
  return params.map((value, index) => {
    const element = types.get(index + 1);
    if (element === undefined || !isArray(value)) return encodeParameter(value);
    return writeBinaryArray(element, value) ?? encodeParameter(value);
  });
}

function isArray(value: SqlValue): value is readonly SqlScalar[] {
  return Array.isArray(value);
}

function arrayTypes(sql: string): ReadonlyMap<number, string> {
  const cached = arrayTypesByStatement.get(sql);
  if (cached !== undefined) return cached;
  const read = readArrayTypes(sql);
  if (arrayTypesByStatement.size < TEXTS_MAX) arrayTypesByStatement.set(sql, read);
  return read;
}

/**
 * Returns the element types, by parameter number, of parameters that are cast to the same array
 * type everywhere. The server infers the types of all other parameters.
 */
function readArrayTypes(sql: string): Map<number, string> {
  const types = new Map<number, string>();
  const unclear = new Set<number>();
  for (const [, digits, element] of sql.matchAll(/\$(\d+)(?:::(\w+)\[\])?/g)) {
    const number = Number(digits);
    if (element === undefined || (types.get(number) ?? element) !== element) unclear.add(number);
    else types.set(number, element);
  }
  for (const number of unclear) types.delete(number);
  return types;
}
