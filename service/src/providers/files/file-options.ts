import type { DatasetName, SourceResponse } from '../provider.ts';
import { foldWord } from './cells.ts';
import { FILE_KINDS } from './column-names.ts';

/** Order of a date such as `05/06/2026`. */
export type DateOrder = 'month-first' | 'day-first';
export const DATE_ORDERS: readonly DateOrder[] = ['month-first', 'day-first'];

/** Instructions for reading a file, beyond what the file itself shows. */
export interface FileOptions {
  /** Null to recognize the kind by the file name or the columns. */
  kind: DatasetName | null;
  /** Columns by header; null for a header that is not used. */
  columns: readonly (readonly [header: string, column: string | null])[];
  /** Columns with the same value in every row. */
  constants: readonly (readonly [column: string, value: string])[];
  /** Null to infer the order from the dates in the file. */
  dateOrder: DateOrder | null;
}

const NO_OPTIONS: FileOptions = { kind: null, columns: [], constants: [], dateOrder: null };

/**
 * Returns the URL of an operator's file. It contains the options, so that the archived file can be
 * read again in the same way.
 */
export function fileUrl(path: string, options: FileOptions = NO_OPTIONS): string {
  const url = new URL('file:///');
  url.pathname = `import/${path.split(/[\\/]/).map(encodeURIComponent).join('/')}`;
  if (options.kind !== null) url.searchParams.set('kind', options.kind);
  for (const [header, column] of options.columns) {
    url.searchParams.append('column', `${header}=${column ?? ''}`);
  }
  for (const [column, value] of options.constants) {
    url.searchParams.append('set', `${column}=${value}`);
  }
  if (options.dateOrder !== null) url.searchParams.set('dates', options.dateOrder);
  return url.href;
}

/** Returns the options in the URL of an operator's file. */
export function optionsOf({ url }: SourceResponse): FileOptions {
  const { searchParams } = new URL(url);
  const kind = searchParams.get('kind');
  const dates = searchParams.get('dates');
  return {
    kind: FILE_KINDS.find((candidate) => candidate === kind) ?? null,
    columns: searchParams
      .getAll('column')
      .map((pair) => splitPair(pair))
      .map(([header, column]) => [header, column === '' ? null : column]),
    constants: searchParams.getAll('set').map((pair) => splitPair(pair)),
    dateOrder: DATE_ORDERS.find((candidate) => candidate === dates) ?? null,
  };
}

/** Returns the columns by folded header. */
export function columnOverrides({ columns }: FileOptions): Map<string, string | null> {
  return new Map(columns.map(([header, column]) => [foldWord(header), column]));
}

/** Splits `a=b` at the last equals sign, because a header may contain one. */
export function splitPair(pair: string): [string, string] {
  const at = pair.lastIndexOf('=');
  return at === -1 ? [pair, ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
