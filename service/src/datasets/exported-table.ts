/** The table of a data set as files show it. */
export interface ExportedTable {
  table: string;
  /** Columns that say nothing outside of this store. */
  without: readonly string[];
  /** What stands for the table when only what holds now is wanted, in SQL. */
  current: string;
  /** The column of the day by which facts are bounded; null where they have none. */
  day: string | null;
  /** Columns in whose order the rows come: they tell every row from every other. */
  order: readonly string[];
}

/** A table of versions: those that are closed have an end. `key` tells facts apart. */
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

/** The order of what is kept as every source told it. */
export const FEED_VALUE_ORDER = ['symbol', 'date', 'provider', 'feed'] as const;
