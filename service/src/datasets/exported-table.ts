/** The exported table of a data set. */
export interface ExportedTable {
  table: string;
  /** Columns without meaning outside this store. */
  without: readonly string[];
  /** SQL that takes the place of the table when only current rows are exported. */
  current: string;
  /** Date column for date bounds; null without one. */
  day: string | null;
  /** Columns of a total order of the rows. */
  order: readonly string[];
}

/** A table of versions. `key` identifies a fact. */
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

/** Order of tables with one row per feed. */
export const FEED_VALUE_ORDER = ['symbol', 'date', 'provider', 'feed'] as const;
