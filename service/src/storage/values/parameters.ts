import { writeBinaryArray } from './binary-array.ts';
import type { SqlScalar, SqlValue } from '../db.ts';
import { encodeParameter } from './types.ts';

/** So many texts are remembered; whoever builds ever new ones has them read each time. */
const TEXTS_MAX = 1000;

const known = new Map<string, ReadonlyMap<number, string>>();

/**
 * The parameters of a statement as both engines take them: text or null, and bytes for what goes in
 * PostgreSQL's binary format, which are bytes themselves and the arrays whose type the statement tells.
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
  const found = known.get(sql);
  if (found !== undefined) return found;
  const read = readArrayTypes(sql);
  if (known.size < TEXTS_MAX) known.set(sql, read);
  return read;
}

/**
 * The types of elements by the numbers of parameters, of those that are cast to one and the same type
 * of array wherever they stand: of others the server decides what they are.
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
