import { CsvError, parse } from 'csv-parse/sync';
import { SourceResponseError } from '../provider.ts';
import { type JsonObject, looksLikeHtml } from './json.ts';
import { isOversizedCsv } from './oversized.ts';

export interface CsvTable {
  /** Names of the columns as written, trimmed. */
  header: string[];
  /** One object a line, by column name; a line of another length is an array and so a bad row. */
  rows: (JsonObject | string[])[];
}

const OPTIONS = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * A table of comma-separated text with a header line: quotes doubled inside quotes, lines that end in
 * CRLF, LF or CR, empty ones skipped. Empty cells behind the last name are none: spreadsheets write
 * them for columns that were cleared. Throws `damaged` when quoting is broken, the header names a
 * column twice, or there is little but commas.
 */
export function readCsv(text: string): CsvTable {
  if (looksLikeHtml(text)) {
    throw new SourceResponseError(
      'blocked',
      'html-instead-of-csv',
      'a web page where a table was due',
    );
  }
  if (isOversizedCsv(text)) {
    throw new SourceResponseError(
      'damaged',
      'overgrown-body',
      'a table of hardly more than commas',
    );
  }
  const [first = [], ...lines] = splitLines(text);
  const header = trimEmptyCells(
    first.map((name) => name.trim()),
    0,
  );
  if (header.length === 0)
    throw new SourceResponseError('damaged', 'empty-body', 'the table is empty');
  if (new Set(header).size !== header.length) {
    throw new SourceResponseError('damaged', 'duplicate-column', `columns ${header.join(',')}`);
  }
  const rows = lines.map((cells) => {
    const line = trimEmptyCells(cells, header.length);
    return line.length === header.length ? toObject(header, line) : line;
  });
  return { header, rows };
}

/** The cells without the empty ones at the end, but no fewer than there should be. */
function trimEmptyCells(cells: readonly string[], lengthMin: number): string[] {
  return cells.slice(0, Math.max(lengthMin, cells.findLastIndex((cell) => cell !== '') + 1));
}

/** The names in the first line, for recognising a table without reading the whole of it. */
export function csvHeader(text: string): string[] {
  const [line = ''] = text.slice(0, 2000).split(/[\r\n]/, 1);
  return line.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

function splitLines(text: string): string[][] {
  try {
    return parse(text, OPTIONS);
  } catch (error) {
    if (error instanceof CsvError)
      throw new SourceResponseError('damaged', 'bad-csv', error.message);
    throw error;
  }
}

function toObject(header: readonly string[], line: readonly string[]): JsonObject {
  return Object.fromEntries(header.map((name, index) => [name, line[index] ?? null]));
}
