import { CsvError, parse } from 'csv-parse/sync';
import { SourceResponseError } from '../provider.ts';
import { type JsonObject, looksLikeHtml } from './json.ts';
import { isOversizedCsv } from './oversized.ts';

export interface CsvTable {
  /** Column names as written, trimmed. */
  header: string[];
  /**
   * Objects keyed by column name, one per line. A line with a different number of cells is an
   * array, which makes it an invalid row.
   */
  rows: (JsonObject | string[])[];
}

const OPTIONS = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Reads comma-separated text with a header line. Supports doubled quotes and CRLF, LF or CR line
 * endings, and skips empty lines. Ignores trailing empty cells, which spreadsheets write for
 * cleared columns. Throws `damaged` for broken quoting, a duplicate column, or a body that is
 * mostly commas.
 */
export function readCsv(text: string): CsvTable {
  if (looksLikeHtml(text)) {
    throw new SourceResponseError(
      'blocked',
      'html-instead-of-csv',
      'expected a table, received a web page',
    );
  }
  if (isOversizedCsv(text)) {
    throw new SourceResponseError('damaged', 'overgrown-body', 'the table is little but commas');
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

/** Removes trailing empty cells, but keeps at least `lengthMin` cells. */
function trimEmptyCells(cells: readonly string[], lengthMin: number): string[] {
  return cells.slice(0, Math.max(lengthMin, cells.findLastIndex((cell) => cell !== '') + 1));
}

/**
 * Returns the column names from the first line, so that a table can be recognized without parsing
 * all of it.
 */
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
