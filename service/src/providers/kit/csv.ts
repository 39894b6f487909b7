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
  /** Line of the text on which each row begins, counted from 1. */
  lineNumbers: number[];
}

export type Delimiter = ',' | ';' | '\t';

const OPTIONS = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/**
 * Reads delimited text with a header line. Supports doubled quotes and CRLF, LF or CR line
 * endings, and skips empty lines. Ignores trailing empty cells, which spreadsheets write for
 * cleared columns. Throws `damaged` for broken quoting, a duplicate column, or a body that is
 * mostly delimiters.
 */
export function readCsv(text: string, delimiter: Delimiter = ','): CsvTable {
  if (looksLikeHtml(text)) {
    throw new SourceResponseError(
      'blocked',
      'html-instead-of-csv',
      'expected a table, received a web page',
    );
  }
  if (isOversizedCsv(text, delimiter)) {
    throw new SourceResponseError('damaged', 'overgrown-body', 'the table has almost no content');
  }
  const [first, ...lines] = splitLines(text, delimiter);
  const names = first?.cells.map((name) => name.trim()) ?? [];
  const header = trimEmptyCells(names, 0);
  if (header.length === 0)
    throw new SourceResponseError('damaged', 'empty-body', 'the table is empty');
  if (new Set(header).size !== header.length) {
    throw new SourceResponseError('damaged', 'duplicate-column', `columns ${header.join(',')}`);
  }
  const rows = lines.map(({ cells }) => {
    const line = trimEmptyCells(cells, header.length);
    return line.length === header.length ? toObject(header, line) : line;
  });
  return { header, rows, lineNumbers: lines.map(({ lineNumber }) => lineNumber) };
}

/** Removes trailing empty cells, but keeps at least `lengthMin` cells. */
function trimEmptyCells(cells: readonly string[], lengthMin: number): string[] {
  return cells.slice(0, Math.max(lengthMin, cells.findLastIndex((cell) => cell !== '') + 1));
}

/**
 * Returns the column names from the first line, so that a table can be recognized without parsing
 * all of it.
 */
export function csvHeader(text: string, delimiter: Delimiter = ','): string[] {
  const [line = ''] = text.slice(0, 2000).split(/[\r\n]/, 1);
  return line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

interface Line {
  cells: string[];
  lineNumber: number;
}

/** A record as the parser returns it with the option `info`. */
interface CsvRecord {
  info: { lines: number };
  record: string[];
}

function splitLines(text: string, delimiter: Delimiter): Line[] {
  try {
    const records = parse(text, { ...OPTIONS, delimiter }) as unknown as CsvRecord[];
    return records.map(({ info, record }) => ({
      cells: record,
      // The parser counts the line on which a record ends.
      lineNumber: info.lines - record.reduce((breaks, cell) => breaks + countBreaks(cell), 0),
    }));
  } catch (error) {
    if (error instanceof CsvError)
      throw new SourceResponseError('damaged', 'bad-csv', error.message);
    throw error;
  }
}

function countBreaks(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
}

function toObject(header: readonly string[], line: readonly string[]): JsonObject {
  return Object.fromEntries(header.map((name, index) => [name, line[index] ?? null]));
}
