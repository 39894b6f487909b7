import { closestMatch } from '../../platform/closest-match.ts';
import type { DatasetName, SourceResponse } from '../provider.ts';
import { missingColumns } from './column-names.ts';
import { columnsOf, type FileFeed } from './file-feed.ts';
import { optionsOf } from './file-options.ts';
import { datasetOf, readTable } from './table.ts';

/** A file's kind and columns, as the feeds read them. */
export interface FileDescription {
  kind: DatasetName;
  rowCount: number;
  /** Headers of the file with their columns; null for a header that is not used. */
  columns: { header: string; column: string | null }[];
  /** Headers without a column, with the closest column name. */
  unknown: { header: string; suggestion: string | null }[];
  /** Required columns that are missing. */
  missing: string[];
}

/**
 * Describes an operator's file. Returns null if its kind is unclear. Throws `SourceResponseError`
 * if it is unreadable.
 */
export function describeFile(
  feeds: readonly FileFeed[],
  response: SourceResponse,
): FileDescription | null {
  const kind = datasetOf(response);
  const feed = feeds.find(({ name }) => name === kind);
  if (kind === null || feed === undefined) return null;
  const table = readTable(response);
  const { names, unknown } = columnsOf(response, kind, feed.columnNames, table);
  const constants = optionsOf(response).constants.map(([column]) => column);
  const present = [...names.values(), ...constants].filter((name) => name !== null);
  return {
    kind,
    rowCount: table.rows.length,
    columns: table.headers.flatMap((header) => {
      const column = names.get(header);
      return column === undefined ? [] : [{ header, column }];
    }),
    unknown: [...unknown, ...constants.filter((name) => !feed.columnNames.includes(name))].map(
      (header) => ({ header, suggestion: closestMatch(header, feed.columnNames) }),
    ),
    missing: missingColumns(kind, present),
  };
}
