import { stringify } from 'csv-stringify/sync';
import type { TSchema } from 'typebox';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { csvCell } from '../../platform/csv-cell.ts';

/** The CSV layout of a response. */
export interface CsvShape {
  /** Body members that contain the rows; null if the body itself is the list of rows. */
  buckets: readonly string[] | null;
  /**
   * Member of a row that contains nested rows. Each nested row becomes a line that repeats the
   * cells of the outer row.
   */
  inner: string | null;
  /** Column names. `eps.actual` is the member `actual` of the member `eps`. */
  columns: readonly string[];
  /**
   * Members that are only present if the `include` parameter requests them. Each becomes a cell
   * with JSON.
   */
  optionalColumns: readonly string[];
}

const shapes = new WeakMap<Endpoint, CsvShape | null>();

/** Returns the CSV layout for an endpoint's response, or null if the response is not a list. */
export function csvShapeOf(endpoint: Endpoint): CsvShape | null {
  let shape = shapes.get(endpoint);
  if (shape === undefined) shapes.set(endpoint, (shape = readShape(endpoint)));
  return shape;
}

interface CsvOptions {
  optionalColumns?: readonly string[];
  header?: boolean;
}

/**
 * Renders rows as CSV (RFC 4180) with a header line and CRLF line endings. Absent values are empty
 * cells, and list items in a cell are separated by `;`. Text that a spreadsheet would run as a
 * formula is prefixed with an apostrophe, unless it is just a number. Later parts of a table have no
 * `header`.
 */
export function renderCsv(
  shape: CsvShape,
  body: unknown,
  { optionalColumns = [], header = true }: CsvOptions = {},
): string {
  const bodies = Array.isArray(body) && shape.buckets !== null ? body : [body];
  const lines = bodies.flatMap((item: unknown) => linesOf(shape, item));
  const columns = [...shape.columns, ...optionalColumns];
  return stringify(lines, { header, columns, record_delimiter: '\r\n' });
}

type Line = Record<string, string>;

function linesOf(shape: CsvShape, body: unknown): Line[] {
  const { buckets, inner } = shape;
  if (buckets === null) return rowsOf(body).flatMap((row) => rowLines(row, inner));
  return buckets.flatMap((bucket) =>
    rowsOf(isRecord(body) ? body[bucket] : []).map((row) => ({
      bucket,
      ...cells(row, '', null),
    })),
  );
}

function rowLines(row: Record<string, unknown>, inner: string | null): Line[] {
  const outer = cells(row, '', inner);
  if (inner === null) return [outer];
  const innerRows = rowsOf(row[inner]);
  if (innerRows.length === 0) return [outer];
  return innerRows.map((innerRow) => ({ ...outer, ...cells(innerRow, `${inner}.`, null) }));
}

function cells(row: Record<string, unknown>, prefix: string, excluded: string | null): Line {
  const line: Line = {};
  for (const [name, value] of Object.entries(row)) {
    if (name === excluded) continue;
    if (isRecord(value)) Object.assign(line, cells(value, `${prefix}${name}.`, null));
    // Objects are added both as JSON and member by member. The columns of the layout determine
    // which of the two is used.
    line[prefix + name] = csvCell(value);
  }
  return line;
}

function rowsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of JSON Schema used in this file. */
interface SchemaNode {
  type?: string;
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
}

function readShape({ response, buckets }: Endpoint): CsvShape | null {
  const variants = variantsOf(response);
  if (buckets !== undefined) {
    const days = variants.map((variant) => variant.items ?? variant);
    const day = days.find(({ properties }) => properties !== undefined);
    const row = day?.properties?.[buckets[0] ?? '']?.items;
    const columns = ['bucket', ...columnsOf(row, '', null)];
    return { buckets, inner: null, columns, optionalColumns: optionalColumnsOf(row) };
  }
  const rows = variants.find((variant) => variant.type === 'array')?.items;
  if (rows?.properties === undefined) return null;
  const inner =
    Object.entries(rows.properties).find(([, property]) => property.items?.properties)?.[0] ?? null;
  const innerRow = inner === null ? undefined : rows.properties[inner]?.items;
  const columns = columnsOf(rows, '', inner);
  if (inner !== null) columns.push(...columnsOf(innerRow, `${inner}.`, null));
  return { buckets: null, inner, columns, optionalColumns: optionalColumnsOf(rows) };
}

function columnsOf(row: SchemaNode | undefined, prefix: string, excluded: string | null): string[] {
  return Object.entries(row?.properties ?? {}).flatMap(([name, node]) => {
    if (name === excluded) return [];
    const object = variantsOf(node).find((variant) => variant.properties !== undefined);
    if (object === undefined) return prefix + name;
    // A map with arbitrary member names becomes one cell with JSON.
    if (isMap(object)) return isOptional(row, name) ? [] : prefix + name;
    return columnsOf(object, `${prefix}${name}.`, null);
  });
}

/** Returns the names of optional members that are maps. */
function optionalColumnsOf(row: SchemaNode | undefined): string[] {
  return Object.entries(row?.properties ?? {}).flatMap(([name, node]) =>
    isOptional(row, name) && variantsOf(node).some(isMap) ? name : [],
  );
}

function isMap({ properties }: SchemaNode): boolean {
  return properties !== undefined && Object.keys(properties).length === 0;
}

function isOptional(row: SchemaNode | undefined, name: string): boolean {
  return row?.required?.includes(name) !== true;
}

function variantsOf(schema: TSchema | SchemaNode): SchemaNode[] {
  const node = schema as SchemaNode;
  return node.anyOf ?? [node];
}
