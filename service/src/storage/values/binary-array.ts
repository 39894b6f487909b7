import type { SqlScalar } from '../db.ts';

/**
 * Encodes one-dimensional arrays in PostgreSQL's binary format: dimensions, null flag, element
 * type, length and lower bound, then each element preceded by its length, or -1 for null. It needs
 * no quoting and no parsing of digits, which halves the cost of an array.
 */

interface Element {
  oid: number;
  /** Returns true if the value can be sent in binary format with the same meaning as its text. */
  fits(value: SqlScalar): boolean;
  /** Returns an upper bound for the size of the encoded value in bytes. */
  room(value: SqlScalar): number;
  /** Writes the value at an offset and returns the number of bytes written. */
  write(to: Buffer, value: SqlScalar, at: number): number;
}

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const CHARACTER_BYTES_MAX = 3;
const INT4_MAX = 2 ** 31 - 1;

// Element types by the names used in casts. The OIDs are from `select oid, typname from pg_type`.
const ELEMENTS: Readonly<Record<string, Element>> = {
  text: {
    oid: 25,
    fits: (value) => typeof value === 'string',
    room: (value) => String(value).length * CHARACTER_BYTES_MAX,
    write: (to, value, at) => to.write(String(value), at),
  },
  int4: {
    oid: 23,
    fits: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= INT4_MAX,
    room: () => 4,
    write: (to, value, at) => to.writeInt32BE(Number(value), at) - at,
  },
  int8: {
    oid: 20,
    fits: (value) => Number.isSafeInteger(value),
    room: () => 8,
    write: (to, value, at) => to.writeBigInt64BE(BigInt(Number(value)), at) - at,
  },
  float8: {
    oid: 701,
    fits: (value) => typeof value === 'number',
    room: () => 8,
    write: (to, value, at) => to.writeDoubleBE(Number(value), at) - at,
  },
  bool: {
    oid: 16,
    fits: (value) => typeof value === 'boolean',
    room: () => 1,
    write: (to, value, at) => to.writeUInt8(value === true ? 1 : 0, at) - at,
  },
};

/**
 * Encodes an array for a parameter with type `element[]`. Returns undefined if a value's type
 * differs from the element type; the caller then sends the array as text.
 */
export function writeBinaryArray(
  element: string,
  values: readonly SqlScalar[],
): Buffer | undefined {
  const kind = ELEMENTS[element];
  if (kind === undefined) return undefined;
  if (values.length === 0) return empty(kind.oid);
  // The loops use an index, because an iterator allocates an object per value, which would account
  // for a tenth of the garbage from a delivery.
  let room = HEAD_BYTES;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? null;
    if (value !== null && !kind.fits(value)) return undefined;
    room += LENGTH_BYTES + (value === null ? 0 : kind.room(value));
  }
  const bytes = Buffer.allocUnsafe(room);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(1, 4);
  bytes.writeInt32BE(kind.oid, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? null;
    const length = value === null ? -1 : kind.write(bytes, value, at + LENGTH_BYTES);
    bytes.writeInt32BE(length, at);
    at += LENGTH_BYTES + Math.max(0, length);
  }
  return bytes.subarray(0, at);
}

/** Encodes an empty array: no dimensions, no nulls, and the element type. */
function empty(oid: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeInt32BE(oid, 8);
  return bytes;
}
