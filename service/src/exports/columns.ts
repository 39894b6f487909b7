import type { TSchema } from 'typebox';
import type { DatasetTable } from '../endpoints/tables/table.ts';

/** A column of an exported table, or a field of a struct in one. */
export interface Column {
  name: string;
  type: ColumnType;
  describe: string;
}

/** `instant` is a time in UTC, `integer` has 64 bits, and `decimal` 18 or 28 digits. */
export type ColumnType =
  | { kind: 'text' | 'date' | 'instant' | 'integer' | 'flag' }
  | { kind: 'decimal'; places: number }
  | { kind: 'list'; item: ColumnType }
  | { kind: 'struct'; fields: readonly Column[] };

const INSTANT = { kind: 'instant' } as const;

/** Decimals of a number unless its table names more. */
const PLACES = 6;

/** Columns that files have in addition to the fields of the endpoint. */
const SECURITY_ID: Column = {
  name: 'security_id',
  type: { kind: 'text' },
  describe: 'Id of the security, which stays the same when its symbol changes.',
};
const PERIOD: readonly Column[] = [
  {
    name: 'known_from',
    type: INSTANT,
    describe: 'Time from which this service returned the row.',
  },
  {
    name: 'known_to',
    type: INSTANT,
    describe: 'Time at which another version replaced the row; null for the current one.',
  },
  {
    name: 'public_at',
    type: INSTANT,
    describe: 'Time by which all values of the row were public: the newest `seenAt` of them.',
  },
];
const SOURCE: readonly Column[] = [
  { name: 'source', type: { kind: 'text' }, describe: 'Name of the source.' },
  { name: 'seenAt', type: INSTANT, describe: 'Time since which the source has had this value.' },
];

/**
 * Returns the columns of a table: the fields of the endpoint's rows with their types, the columns
 * that only files have, and `provenance` with the source of each field.
 */
export function columnsOf(table: DatasetTable): Column[] {
  const fields = fieldsOf(table.row, table);
  return [
    ...fields,
    ...(table.stored.securityId === null ? [] : [SECURITY_ID]),
    ...PERIOD,
    provenanceColumn(table, fields),
  ];
}

function provenanceColumn({ sourcedParts }: DatasetTable, fields: readonly Column[]): Column {
  const sourced = fields.map(({ name }): Column => {
    const parts = sourcedParts.filter((part) => part.startsWith(`${name}.`));
    const own = parts.map((part) => structOf(part.slice(name.length + 1), SOURCE));
    return structOf(name, own.length === 0 ? SOURCE : own);
  });
  const describe = 'Source of each field and its time. Computed fields have none.';
  return { ...structOf('provenance', sourced), describe };
}

function structOf(name: string, fields: readonly Column[]): Column {
  return { name, type: { kind: 'struct', fields }, describe: '' };
}

/** The parts of JSON Schema that rows use. */
interface JsonSchema {
  type?: string;
  format?: string;
  description?: string;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

type Precision = Pick<DatasetTable, 'omitted' | 'places'>;

function fieldsOf({ properties = {}, required = [] }: JsonSchema, precision: Precision): Column[] {
  const { omitted, places } = precision;
  return Object.entries(properties)
    .filter(([name]) => required.includes(name) && !omitted.includes(name))
    .map(([name, schema]) => ({
      name,
      type: typeOf(schema, places[name] ?? PLACES),
      describe: describe(schema),
    }));
}

function typeOf(schema: TSchema | JsonSchema, places: number): ColumnType {
  const { type, format, items, anyOf, properties } = schema as JsonSchema;
  const variant = anyOf?.find((option) => option.type !== 'null');
  if (variant !== undefined) return typeOf(variant, places);
  switch (type) {
    case 'integer':
      return { kind: 'integer' };
    case 'number':
      return { kind: 'decimal', places };
    case 'boolean':
      return { kind: 'flag' };
    case 'array':
      return { kind: 'list', item: typeOf(items ?? {}, places) };
    case 'object': {
      const fields = fieldsOf({ properties, ...schema } as JsonSchema, NOTHING_OMITTED);
      return { kind: 'struct', fields };
    }
    default:
      if (format === 'date') return { kind: 'date' };
      return format === 'date-time' ? INSTANT : { kind: 'text' };
  }
}

const NOTHING_OMITTED: Precision = { omitted: [], places: {} };

function describe({ description, anyOf = [] }: JsonSchema): string {
  return (
    description ?? anyOf.find((variant) => variant.description !== undefined)?.description ?? ''
  );
}

/** A column without structs, for CSV and NDJSON: `estimates.eps.mean`. */
export interface FlatColumn extends Column {
  path: readonly string[];
}

/** Returns the columns of text files: each field of a struct is a column of its own. */
export function flatColumns(columns: readonly Column[]): FlatColumn[] {
  return columns.flatMap((column) => flatten(column, []));
}

function flatten(column: Column, parents: readonly string[]): FlatColumn[] {
  const path = [...parents, column.name];
  if (column.type.kind === 'struct') return column.type.fields.flatMap((it) => flatten(it, path));
  return [{ ...column, name: path.join('.'), path }];
}

/** Returns the value of a flat column in a row; null if a struct around it is. */
export function valueAt(row: object, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (value === null || value === undefined) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value ?? null;
}

/** Prints a type as SQL, for the manifest and the guide. */
export function printColumnType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'VARCHAR';
    case 'date':
      return 'DATE';
    case 'instant':
      return 'TIMESTAMP';
    case 'integer':
      return 'BIGINT';
    case 'flag':
      return 'BOOLEAN';
    case 'decimal':
      return `DECIMAL(${precisionOf(type)},${type.places})`;
    case 'list':
      return `${printColumnType(type.item)}[]`;
    case 'struct': {
      const fields = type.fields.map((it) => `${it.name} ${printColumnType(it.type)}`);
      return `STRUCT(${fields.join(', ')})`;
    }
  }
}

const SHORT_PRECISION = 18;
/** More digits do not fit into the decimals of Excel and .NET. */
const LONG_PRECISION = 28;

/** Returns the digits of a decimal. Those of up to 18 digits are stored in 64 bits. */
export function precisionOf({ places }: { places: number }): number {
  return places <= PLACES ? SHORT_PRECISION : LONG_PRECISION;
}
