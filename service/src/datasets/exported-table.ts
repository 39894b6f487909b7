/** The table exported for a data set. */
export interface ExportedTable {
  table: string;
  /** Columns without meaning outside this store. */
  without: readonly string[];
  /** SQL that replaces the table name when only current rows are exported. */
  current: string;
  /** Date column for date bounds; null if the table has none. */
  day: string | null;
  /** Columns that put the rows in a total order. */
  order: readonly string[];
}

/** Describes a table of versions. `key` identifies a fact. */
export function exportedVersions(
  table: string,
  { key, day }: { key: string; day: string | null },
): ExportedTable {
  return {
    table,
    day,
    without: ['version_id'],
    current: `(select * from ${table} where known_to is null)`,
    order: [...(day === null ? [] : [day]), key, 'known_from'],
  };
}

/** Order for tables with one row per feed. */
export const FEED_VALUE_ORDER = ['symbol', 'date', 'provider', 'feed'] as const;
