import { parseArrayLiteral, writeArrayLiteral } from './array-literal.ts';
import type { SqlValue } from '../db.ts';

/** Converts the text of a non-null value, as printed by the database, to a JavaScript value. */
export type ValueParser = (text: string) => unknown;

/**
 * Returns the parser for a column type by its OID (`select oid, typname from pg_type`). Both
 * drivers use it. Types that are not listed are read as text.
 */
export function parserOf(typeOid: number): ValueParser {
  return PARSERS[typeOid] ?? asText;
}

/**
 * Encodes a parameter for both engines as text, bytes or null. Everything except bytes is sent as
 * text, so the statement determines the type, not the driver.
 */
export function encodeParameter(value: SqlValue): string | Uint8Array | null {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return writeArrayLiteral(value);
}

const SCALARS: Readonly<Record<number, { parse: ValueParser; arrayOid: number }>> = {
  16: { parse: (text) => text === 't', arrayOid: 1000 }, // bool
  17: { parse: parseBytes, arrayOid: 1001 }, // bytea
  19: { parse: asText, arrayOid: 1003 }, // name
  20: { parse: parseInt8, arrayOid: 1016 }, // int8
  21: { parse: Number, arrayOid: 1005 }, // int2
  23: { parse: Number, arrayOid: 1007 }, // int4
  25: { parse: asText, arrayOid: 1009 }, // text
  26: { parse: Number, arrayOid: 1028 }, // oid
  114: { parse: parseJson, arrayOid: 199 }, // json
  700: { parse: Number, arrayOid: 1021 }, // float4
  701: { parse: Number, arrayOid: 1022 }, // float8
  1043: { parse: asText, arrayOid: 1015 }, // varchar
  1082: { parse: asText, arrayOid: 1182 }, // date
  1184: { parse: parseInstant, arrayOid: 1185 }, // timestamptz
  1700: { parse: asText, arrayOid: 1231 }, // numeric
  2950: { parse: asText, arrayOid: 2951 }, // uuid
  3802: { parse: parseJson, arrayOid: 3807 }, // jsonb
};

const PARSERS: Readonly<Record<number, ValueParser>> = withArrays();

function withArrays(): Record<number, ValueParser> {
  const parsers: Record<number, ValueParser> = {};
  for (const [oid, { parse, arrayOid }] of Object.entries(SCALARS)) {
    parsers[Number(oid)] = parse;
    parsers[arrayOid] = (text) => parseArrayLiteral(text, parse);
  }
  return parsers;
}

function asText(text: string): string {
  return text;
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The integer ${text} is past 2^53 and would lose precision.`);
  }
  return value;
}

function parseBytes(text: string): Uint8Array {
  if (!text.startsWith('\\x')) throw new Error('Expected bytes in hexadecimal.');
  // The bytes are copied so that they never share Node's buffer pool and can be transferred.
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}

const INSTANT =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/;

/**
 * Parses a timestamptz in ISO style into milliseconds since 1970 UTC. Rounds down to the
 * millisecond, also before 1970. `Date.parse` cannot be used because it rejects short offsets,
 * years past 9999 and BC.
 */
function parseInstant(text: string): number {
  // The usual form is `2026-11-22 12:00:00.123+00`.
  if (text[4] === '-' && text[10] === ' ' && text.endsWith('+00')) return parseInstantUtc(text);
  if (text === 'infinity') return Infinity;
  if (text === '-infinity') return -Infinity;
  const match = INSTANT.exec(text);
  if (match === null) throw new Error(`Not a timestamp in ISO style: ${text}`);
  const part = (index: number): number => Number(match[index] ?? 0);
  const year = match[12] === undefined ? part(1) : 1 - part(1);
  const day = new Date(0).setUTCFullYear(year, part(2) - 1, part(3));
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = day + ((part(4) * 60 + part(5)) * 60 + part(6)) * 1000 + milliseconds;
  const offset = ((part(9) * 60 + part(10)) * 60 + part(11)) * 1000;
  return match[8] === '-' ? local + offset : local - offset;
}

/**
 * Parses a timestamp with a four-digit year in UTC. Reads characters by index, because rows contain
 * several instants and substrings are slower.
 */
function parseInstantUtc(text: string): number {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  let milliseconds = 0;
  for (let at = 20, worth = 100; at < text.length - 3 && worth >= 1; at += 1, worth /= 10) {
    milliseconds += digit(text, at) * worth;
  }
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hours, minutes] = [twoDigits(text, 11), twoDigits(text, 14)];
  const instant = Date.UTC(year, month - 1, day, hours, minutes, twoDigits(text, 17), milliseconds);
  // JavaScript treats the years 0 to 99 as years in the 20th century.
  return year >= 100 ? instant : new Date(instant).setUTCFullYear(year);
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}
