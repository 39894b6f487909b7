/** The table exported for a data set. */
export interface ExportedTable {
  table: string;
  /** Columns that are not exported, because they are meaningless outside this store. */
  without: readonly string[];
  /** SQL that replaces the table name when only current rows are exported. */
  current: string;
  /**
   * SQL expressions on a row `f` that replace columns when only current rows are exported, for
   * values that the endpoints derive at read.
   */
  currentValues?: Readonly<Record<string, string>>;
  /** Date column for date bounds; null if the table has none. */
  day: string | null;
  /** Columns that define a unique order of the rows. */
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

/** Sort columns for tables with one row per feed. */
export const FEED_VALUE_ORDER = ['symbol', 'date', 'provider', 'feed'] as const;
