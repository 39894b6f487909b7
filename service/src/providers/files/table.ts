import { csvHeader, type Delimiter, readCsv } from '../kit/csv.ts';
import { isJsonObject, type JsonObject, rejectFailedStatus, requireJson } from '../kit/json.ts';
import { isOversizedJson } from '../kit/oversized.ts';
import { type DatasetName, type SourceResponse, SourceResponseError } from '../provider.ts';
import { FILE_KINDS, kindOfColumns } from './column-names.ts';
import { withPlainCells } from './plain-cells.ts';
import { optionsOf } from './file-options.ts';

/** A table as written in a file. */
export interface FileTable {
  headers: readonly string[];
  /** Objects keyed by header. Anything else is an invalid row. */
  rows: readonly unknown[];
  /** Line of the file on which each row begins; for a JSON list, the row's number. */
  lineNumbers: readonly number[];
  /** True if a comma in a number may be a decimal comma or a thousands separator. */
  isCommaUnclear?: boolean;
}

/**
 * Returns the kind of an operator's file: the kind in its options, in its path
 * (`2026-earnings.csv`, `earnings/2026.csv`), or else the kind that its columns suggest. Returns
 * null if the response is not a file or its kind is unclear.
 */
export function datasetOf(response: SourceResponse): DatasetName | null {
  if (!response.url.startsWith('file:')) return null;
  const options = optionsOf(response);
  if (options.kind !== null) return options.kind;
  const path = new URL(response.url).pathname.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = FILE_KINDS.filter((kind) => name.includes(kind));
  if (named.length === 1) return named[0] ?? null;
  const folder = FILE_KINDS.find((kind) => path.split('/').slice(0, -1).includes(kind));
  if (folder !== undefined) return folder;
  return kindOfColumns(
    headersOf(response),
    options.constants.map(([column]) => column),
  );
}

/**
 * Reads a table from CSV with commas, semicolons or tabs, from a JSON list of objects, or from
 * NDJSON. Throws `SourceResponseError` if the text is none of them.
 */
export function readTable(response: SourceResponse): FileTable {
  rejectFailedStatus(response);
  const { text } = response;
  const table = formatOf(text) === 'csv' ? csvTable(text) : jsonTable(response);
  return withPlainCells(table, {
    isSemicolonSeparated: formatOf(text) === 'csv' && delimiterOf(text) === ';',
    dateOrder: optionsOf(response).dateOrder,
  });
}

function headersOf(response: SourceResponse): string[] {
  const { text } = response;
  const format = formatOf(text);
  if (format === 'csv') return csvHeader(text, delimiterOf(text));
  const first: unknown =
    format === 'json' ? firstOf(response.json()) : parseLine(text.trimStart().split('\n', 1)[0]);
  return isJsonObject(first) ? Object.keys(first) : [];
}

type Format = 'csv' | 'json' | 'ndjson';

function formatOf(text: string): Format {
  const start = text.slice(0, 4096).trimStart();
  if (start.startsWith('[')) return 'json';
  return start.startsWith('{') ? 'ndjson' : 'csv';
}

/** Returns the delimiter that occurs most often in the header line; a comma if none does. */
function delimiterOf(text: string): Delimiter {
  const [line = ''] = text
    .slice(0, 4096)
    .trimStart()
    .split(/[\r\n]/, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: Delimiter) => unquoted.split(delimiter).length;
  return ([';', '\t'] as const).reduce<Delimiter>(
    (best, delimiter) => (countOf(delimiter) > countOf(best) ? delimiter : best),
    ',',
  );
}

function csvTable(text: string): FileTable {
  const { header, rows, lineNumbers } = readCsv(text, delimiterOf(text));
  return { headers: header, rows, lineNumbers };
}

function jsonTable(response: SourceResponse): FileTable {
  const { rows, lineNumbers } =
    formatOf(response.text) === 'json' ? jsonRows(response) : ndjsonRows(response.text);
  const headers = new Set<string>();
  for (const row of rows) {
    if (isJsonObject(row)) for (const header of Object.keys(row)) headers.add(header);
  }
  return { headers: [...headers], rows, lineNumbers };
}

interface Rows {
  rows: readonly unknown[];
  lineNumbers: readonly number[];
}

function jsonRows(response: SourceResponse): Rows {
  const body = requireJson(response);
  if (Array.isArray(body)) return { rows: body, lineNumbers: body.map((_, index) => index + 1) };
  throw notRows('the file is not a list of rows');
}

/** A line that is not JSON is an invalid row. A single object over several lines is not NDJSON. */
function ndjsonRows(text: string): Rows {
  if (isOversizedJson(text)) {
    throw new SourceResponseError('damaged', 'overgrown-body', 'the file has almost no content');
  }
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), lineNumber: index + 1 }))
    .filter(({ line }) => line !== '');
  if (parseLine(lines[0]?.line) === undefined) {
    throw notRows('the file is neither a list of rows nor one JSON object per line');
  }
  return {
    rows: lines.map(({ line }) => parseLine(line) ?? line),
    lineNumbers: lines.map(({ lineNumber }) => lineNumber),
  };
}

function notRows(detail: string): SourceResponseError {
  return new SourceResponseError('error-answer', 'unexpected-shape', detail);
}

function parseLine(line: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line ?? '');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function firstOf(body: unknown): unknown {
  return Array.isArray(body) ? body[0] : null;
}
