import { csvHeader, readCsv } from '../kit/csv.ts';
import { isJsonObject, rejectFailedStatus, requireJson } from '../kit/json.ts';
import { type DatasetName, type SourceResponse, SourceResponseError } from '../provider.ts';

/**
 * Columns that appear in only one kind of file. They identify files that are not recognized by
 * name.
 */
const DISTINCTIVE_COLUMNS: Readonly<Record<DatasetName, readonly string[]>> = {
  earnings: ['epsEstimate', 'eps', 'fiscalPeriodEnd', 'reportedAt'],
  profiles: ['companyName', 'sector', 'industry', 'sharesOutstanding', 'sicCode'],
  bars: ['close', 'Close'],
  splits: ['numerator'],
  // No required column: the file has no `symbol` column and is recognized by its name alone.
  'economic-events': [],
  dividends: ['exDate'],
  // Identified by file name only, since a company before its IPO may have no symbol.
  ipos: [],
  securities: ['cik', 'exchange', 'name'],
};

const DATASETS = Object.keys(DISTINCTIVE_COLUMNS) as DatasetName[];

/**
 * Returns the data set for an operator's file, identified by the file name (`2026-earnings.csv`)
 * or, failing that, by the columns. Returns null if the response is not a file or cannot be
 * identified.
 */
export function datasetOf(response: SourceResponse): DatasetName | null {
  if (!response.url.startsWith('file:')) return null;
  const file = response.path.slice(response.path.lastIndexOf('/') + 1).toLowerCase();
  const matches = DATASETS.filter((dataset) => file.includes(dataset));
  if (matches.length === 1) return matches[0] ?? null;
  const columns = new Set(columnsOf(response).map(toPropertyName));
  if (!columns.has('symbol')) return null;
  return (
    DATASETS.find((dataset) => DISTINCTIVE_COLUMNS[dataset].some((name) => columns.has(name))) ??
    null
  );
}

/** Returns the rows of a CSV or JSON file, with the documented property names. */
export function tableRows(response: SourceResponse): unknown[] {
  rejectFailedStatus(response);
  const rows: unknown[] = isJsonText(response.text)
    ? jsonRows(response)
    : readCsv(response.text).rows;
  return rows.map((row) => (isJsonObject(row) ? renameColumns(row) : row));
}

/**
 * Converts `eps_estimate` and `EPS Estimate` to `epsEstimate`. A name without separators is
 * unchanged.
 */
export function toPropertyName(column: string): string {
  const words = column.trim().split(/[_\s-]+/);
  if (words.length < 2) return column.trim();
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  return words.map((word, index) => (index === 0 ? word.toLowerCase() : capital(word))).join('');
}

function jsonRows(response: SourceResponse): unknown[] {
  const body = requireJson(response);
  if (Array.isArray(body)) return body;
  throw new SourceResponseError(
    'error-answer',
    'unexpected-shape',
    'the file is not a list of rows',
  );
}

function columnsOf(response: SourceResponse): string[] {
  if (!isJsonText(response.text)) return csvHeader(response.text);
  const body = response.json();
  const first: unknown = Array.isArray(body) ? body[0] : null;
  return isJsonObject(first) ? Object.keys(first) : [];
}

function renameColumns(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [toPropertyName(column), value]),
  );
}

function isJsonText(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
