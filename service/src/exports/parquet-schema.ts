import type { ParquetWriter } from 'hyparquet-writer';
import { type Column, type ColumnType, precisionOf } from './columns.ts';

type SchemaElement = ParquetWriter['schema'][number];

/**
 * Returns the Parquet schema of a table. Every column is optional, so that a file from before a
 * field was added and one from after it have compatible schemas.
 */
export function parquetSchema(columns: readonly Column[]): SchemaElement[] {
  const elements = columns.flatMap(({ name, type }) => elementsOf(name, type));
  return [{ name: 'root', num_children: columns.length }, ...elements];
}

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type.kind) {
    case 'text':
      return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
    case 'date':
      return [{ ...optional, type: 'INT32', converted_type: 'DATE' }];
    case 'integer':
      return [{ ...optional, type: 'INT64' }];
    case 'flag':
      return [{ ...optional, type: 'BOOLEAN' }];
    case 'instant':
      return [
        {
          ...optional,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MICROS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
        },
      ];
    case 'decimal':
      return [decimalElement(optional, type)];
    case 'list':
      return [
        { ...optional, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', type.item),
      ];
    case 'struct': {
      const { fields } = type;
      const children = fields.flatMap((field) => elementsOf(field.name, field.type));
      return [{ ...optional, num_children: fields.length }, ...children];
    }
  }
}

/** Bytes of a signed integer of 28 decimal digits. */
const LONG_BYTES = 12;

function decimalElement(
  optional: Pick<SchemaElement, 'name' | 'repetition_type'>,
  type: { places: number },
): SchemaElement {
  const precision = precisionOf(type);
  const decimal = {
    ...optional,
    converted_type: 'DECIMAL',
    precision,
    scale: type.places,
  } as const;
  return precision <= 18
    ? { ...decimal, type: 'INT64' }
    : { ...decimal, type: 'FIXED_LEN_BYTE_ARRAY', type_length: LONG_BYTES };
}

/** Counts the values that did not fit into their column. */
export interface Misfits {
  /** Decimals that were rounded to the places of their column. */
  rounded: number;
  /** Decimals that are too large for their column, and null in the file. */
  tooLarge: number;
}

type Encode = (value: unknown) => unknown;

/** Returns a function that converts a value from its form in responses to its form in Parquet. */
export function encoderOf(type: ColumnType, misfits: Misfits): Encode {
  const encode = encodePresent(type, misfits);
  return (value) => (value === null || value === undefined ? null : encode(value));
}

function encodePresent(type: ColumnType, misfits: Misfits): Encode {
  switch (type.kind) {
    case 'text':
      return String;
    case 'flag':
      return Boolean;
    case 'date':
      return (value) => Date.parse(`${String(value)}T00:00:00Z`) / DAY_MS;
    case 'instant':
      // Columns that only files have are instants already; fields of responses are text.
      return (value) =>
        BigInt(typeof value === 'number' ? value : Date.parse(String(value))) * 1000n;
    case 'integer':
      return (value) => BigInt(Math.round(Number(value)));
    case 'decimal':
      return (value) => unscaled(Number(value), type, misfits);
    case 'list': {
      const encode = encoderOf(type.item, misfits);
      return (value) => (value as readonly unknown[]).map((item) => encode(item));
    }
    case 'struct': {
      const fields = type.fields.map(({ name, type: field }) => ({
        name,
        encode: encoderOf(field, misfits),
      }));
      return (value) => {
        const struct: Record<string, unknown> = {};
        for (const { name, encode } of fields) {
          struct[name] = encode((value as Readonly<Record<string, unknown>>)[name]);
        }
        return struct;
      };
    }
  }
}

const DAY_MS = 86_400_000;

/** Returns the digits of a number at the scale of its column; null if it has too many of them. */
function unscaled(value: number, type: { places: number }, misfits: Misfits): bigint | null {
  // From this size on, numbers have no digits after the point as text.
  if (Math.abs(value) >= 1e21) {
    misfits.tooLarge += 1;
    return null;
  }
  const factor = 10 ** type.places;
  const scaled = Math.round(value * factor);
  // Beyond 2^53, the product itself is rounded; the digits after the point are exact as text.
  const exact = Number.isSafeInteger(scaled)
    ? BigInt(scaled)
    : BigInt(value.toFixed(type.places).replace('.', ''));
  if (Number.isSafeInteger(scaled) && scaled / factor !== value) misfits.rounded += 1;
  const limit = 10n ** BigInt(precisionOf(type));
  if (exact < limit && exact > -limit) return exact;
  misfits.tooLarge += 1;
  return null;
}
