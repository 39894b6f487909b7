import { csvHeader, readCsv } from '../kit/csv.ts';
import { isJsonObject, rejectFailedStatus, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError, type DatasetName } from '../provider.ts';

/** Columns that only one kind of file has: they tell what a file is whose name does not. */
const DISTINCTIVE_COLUMNS: Readonly<Record<DatasetName, readonly string[]>> = {
  earnings: ['epsEstimate', 'eps', 'fiscalPeriodEnd', 'reportedAt'],
  profiles: ['companyName', 'sector', 'industry', 'sharesOutstanding', 'sicCode'],
  bars: ['close', 'Close'],
  splits: ['numerator'],
  // By its name alone: it has no column `symbol`.
  'economic-events': [],
  dividends: ['exDate'],
  // By its name alone, as a company on its way may have no symbol.
  ipos: [],
  securities: ['cik', 'exchange', 'name'],
};

const DATASETS = Object.keys(DISTINCTIVE_COLUMNS) as DatasetName[];

/**
 * What a file of the operator holds: by its name (`2026-earnings.csv`), or else by its columns; null
 * when it is not a file, or when neither tells.
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

/** The rows of a CSV or JSON file, their columns under the property names of the documentation. */
export function tableRows(response: SourceResponse): unknown[] {
  rejectFailedStatus(response);
  const rows: unknown[] = isJsonText(response.text)
    ? jsonRows(response)
    : readCsv(response.text).rows;
  return rows.map((row) => (isJsonObject(row) ? renameColumns(row) : row));
}

/** `eps_estimate` and `EPS Estimate` are `epsEstimate`; a name without separators stays. */
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
