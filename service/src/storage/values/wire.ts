import type { Row } from '../db.ts';
import type { SqlErrorFacts } from '../errors.ts';
import { parserOf, type ValueParser } from './types.ts';

/**
 * The part of PostgreSQL's wire protocol
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html) that is needed to run one
 * statement with parameters. The embedded engine supports it too. Messages are encoded and decoded
 * here, so the engine's thread, which all calls wait for, spends no time on values.
 */

const CODE = { close: 67, parse: 80, bind: 66, describe: 68, execute: 69, sync: 83 } as const;
const CODE_OF_PARSED = 49;
const CODE_OF_ROWS = 84;
const CODE_OF_ROW = 68;
const CODE_OF_ERROR = 69;
/** Describe, Execute and Sync with an unnamed portal. They are the same for every statement. */
const TAIL = Uint8Array.of(
  CODE.describe,
  0,
  0,
  0,
  6,
  80,
  0,
  CODE.execute,
  0,
  0,
  0,
  9,
  0,
  0,
  0,
  0,
  0,
  CODE.sync,
  0,
  0,
  0,
  4,
);

/** The name of a prepared statement. */
export interface PreparedName {
  name: string;
  /** True if the engine has already prepared the statement. */
  isPrepared: boolean;
}

/**
 * Encodes the messages that run one statement: Parse, Bind, Describe, Execute and Sync. Strings are
 * sent as text, byte arrays in binary format. A named statement replaces any earlier one with the
 * same name and is parsed only once.
 */
export function encodeStatement(
  sql: string,
  params: readonly (string | Uint8Array | null)[],
  { name, isPrepared: isKept }: PreparedName = { name: '', isPrepared: false },
): Uint8Array<ArrayBuffer> {
  const lengths = params.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const closeLength = 4 + 1 + name.length + 1;
  const parseLength = 4 + name.length + 1 + Buffer.byteLength(sql) + 1 + 2;
  const bindLength = lengths.reduce(
    (sum, length) => sum + 4 + Math.max(0, length),
    4 + 1 + name.length + 1 + 2 + 2 * params.length + 2 + 2,
  );
  const headLength = isKept ? 0 : 1 + parseLength + (name === '' ? 0 : 1 + closeLength);
  // A separate buffer can be transferred to the other thread.
  const bytes = new Uint8Array(headLength + 1 + bindLength + TAIL.length);
  const to = Buffer.from(bytes.buffer);
  let at = 0;
  if (!isKept && name !== '') {
    at = to.writeUInt8(CODE.close, at);
    at = to.writeInt32BE(closeLength, at);
    at += to.write(`S${name}`, at) + 1;
  }
  if (!isKept) {
    at = to.writeUInt8(CODE.parse, at);
    at = to.writeInt32BE(parseLength, at);
    at += to.write(name, at) + 1;
    at += to.write(sql, at) + 1 + 2;
  }
  at = to.writeUInt8(CODE.bind, at);
  at = to.writeInt32BE(bindLength, at) + 1;
  at += to.write(name, at) + 1;
  at = to.writeInt16BE(params.length, at);
  for (const value of params) at = to.writeInt16BE(value instanceof Uint8Array ? 1 : 0, at);
  at = to.writeInt16BE(params.length, at);
  for (const [index, value] of params.entries()) {
    at = to.writeInt32BE(lengths[index] ?? -1, at);
    if (typeof value === 'string') at += to.write(value, at);
    else if (value !== null) {
      bytes.set(value, at);
      at += value.length;
    }
  }
  bytes.set(TAIL, at + 2);
  return bytes;
}

interface Column {
  name: string;
  parse: ValueParser;
}

/**
 * Decodes the rows or the error in a response. `isParsed` is true if the engine has parsed the
 * statement and therefore prepared it under its name.
 */
export function decodeResponse<T extends Row>(
  bytes: Uint8Array,
): { rows: T[]; serverError: ServerError | null; isParsed: boolean } {
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows: T[] = [];
  let columns: Column[] = [];
  let serverError: ServerError | null = null;
  let isParsed = false;
  for (let at = 0; at < from.length; at += 1 + from.readInt32BE(at + 1)) {
    const code = from[at];
    if (code === CODE_OF_ROW) rows.push(readRow<T>(from, at + 5, columns));
    else if (code === CODE_OF_ROWS) columns = readColumns(from, at + 5);
    else if (code === CODE_OF_PARSED) isParsed = true;
    else if (code === CODE_OF_ERROR) serverError ??= readServerError(from, at + 5);
  }
  return { rows, serverError, isParsed };
}

function readColumns(from: Buffer, start: number): Column[] {
  let at = start + 2;
  return Array.from({ length: from.readInt16BE(start) }, () => {
    const end = from.indexOf(0, at);
    const name = from.toString('utf8', at, end);
    // The type OID follows the table OID and column number. Size, modifier and format come after
    // it.
    const parse = parserOf(from.readUInt32BE(end + 1 + 6));
    at = end + 1 + 18;
    return { name, parse };
  });
}

function readRow<T extends Row>(from: Buffer, start: number, columns: readonly Column[]): T {
  const row: Row = {};
  let at = start + 2;
  for (const { name, parse } of columns) {
    const length = from.readInt32BE(at);
    at += 4;
    if (length < 0) row[name] = null;
    else {
      row[name] = parse(from.toString('utf8', at, at + length));
      at += length;
    }
  }
  return row as T;
}

interface ServerError {
  error: SqlErrorFacts;
  /** True if a server would close the connection or restart all its processes. */
  isFatal: boolean;
}

function readServerError(from: Buffer, start: number): ServerError {
  const fields = new Map<string, string>();
  for (let at = start; from[at] !== 0;) {
    const end = from.indexOf(0, at);
    fields.set(String.fromCharCode(from[at] ?? 0), from.toString('utf8', at + 1, end));
    at = end + 1;
  }
  const error = {
    message: fields.get('M') ?? '',
    sqlState: fields.get('C') ?? 'XX000',
    detail: fields.get('D'),
    table: fields.get('t'),
    column: fields.get('c'),
    constraint: fields.get('n'),
  };
  return { error, isFatal: /^(?:FATAL|PANIC)$/.test(fields.get('V') ?? '') };
}
