import type { SqlScalar } from '../db.ts';

/** Renders an array literal. Text is quoted; numbers, booleans and null are not. */
export function writeArrayLiteral(values: readonly SqlScalar[]): string {
  return `{${values.map(writeElement).join(',')}}`;
}

function writeElement(value: SqlScalar): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? quote(value) : String(value);
}

/**
 * Parses an array literal with one or more dimensions. `parse` converts each element's text. Throws
 * if the literal is invalid.
 */
export function parseArrayLiteral(literal: string, parse: (text: string) => unknown): unknown[] {
  // An array with non-default lower bounds begins with its bounds: `[0:1]={a,b}`.
  const start = literal.indexOf('{');
  if (start < 0) throw new Error('Not an array literal.');
  const reader = { literal, at: start };
  return readArray(reader, parse);
}

interface Reader {
  readonly literal: string;
  at: number;
}

function readArray(reader: Reader, parse: (text: string) => unknown): unknown[] {
  const values: unknown[] = [];
  reader.at += 1;
  while (reader.at < reader.literal.length) {
    const char = reader.literal[reader.at];
    if (char === '}') {
      reader.at += 1;
      return values;
    }
    if (char === ',') reader.at += 1;
    else if (char === '{') values.push(readArray(reader, parse));
    else if (char === '"') values.push(parse(readQuoted(reader)));
    else values.push(readBare(reader, parse));
  }
  throw new Error('Unterminated array literal.');
}

function readQuoted(reader: Reader): string {
  let text = '';
  reader.at += 1;
  while (reader.literal[reader.at] !== '"') {
    if (reader.at >= reader.literal.length) throw new Error('Unterminated array element.');
    if (reader.literal[reader.at] === '\\') reader.at += 1;
    text += reader.literal[reader.at] ?? '';
    reader.at += 1;
  }
  reader.at += 1;
  return text;
}

function readBare(reader: Reader, parse: (text: string) => unknown): unknown {
  const start = reader.at;
  while (reader.at < reader.literal.length && !/[,}]/.test(reader.literal[reader.at] ?? '')) {
    reader.at += 1;
  }
  const text = reader.literal.slice(start, reader.at);
  return text === 'NULL' ? null : parse(text);
}

function quote(value: string): string {
  // JSON escapes the same two characters as an array literal, and JSON.stringify is several times
  // as fast. Control characters and lone surrogates, which JSON escapes differently, take the slow
  // path.
  if (!/[\u0000-\u001f\ud800-\udfff]/.test(value)) return JSON.stringify(value);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
