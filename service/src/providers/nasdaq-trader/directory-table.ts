import { isJsonObject, type JsonObject, looksLikeHtml, rejectFailedStatus } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

/** A file of the symbol directory. */
export interface DirectoryTable {
  /** Objects by column name. A line with a different number of cells is an array. */
  rows: (JsonObject | string[])[];
}

const FOOTER = /^File Creation Time:\s*\d{8,12}(?::\d{2})?\|*$/;

/**
 * Reads a file: a header, one security a line with cells separated by `|`, and a footer with the
 * creation time. Columns are found by name. Throws `cut-off` if the footer is missing, because a
 * part of a list looks like a complete one, `missing-column`, or `no-rows`.
 */
export function readDirectory(
  response: SourceResponse,
  columns: readonly string[],
): DirectoryTable {
  rejectFailedStatus(response);
  const { text } = response;
  if (looksLikeHtml(text)) {
    throw new SourceResponseError('blocked', 'html-instead-of-text', 'received a web page');
  }
  const [first = '', ...lines] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const footer = lines.pop() ?? '';
  const header = first.split('|').map((name) => name.trim());
  const missing = columns.find((column) => !header.includes(column));
  if (missing !== undefined) {
    throw new SourceResponseError('damaged', 'missing-column', `no column named ${missing}`);
  }
  if (!FOOTER.test(footer.trim())) {
    throw new SourceResponseError('damaged', 'cut-off', 'the file does not end with its footer');
  }
  if (lines.length === 0) throw new SourceResponseError('damaged', 'no-rows', 'the list is empty');
  return { rows: lines.map((line) => toRow(header, line.split('|'))) };
}

function toRow(header: readonly string[], cells: string[]): JsonObject | string[] {
  if (cells.length !== header.length) return cells;
  const row: unknown = Object.fromEntries(header.map((name, index) => [name, cells[index]]));
  return isJsonObject(row) ? row : cells;
}
