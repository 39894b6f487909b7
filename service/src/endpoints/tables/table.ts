import type { TObject } from 'typebox';
import type { DatasetName } from '../../datasets/observations.ts';
import type { VersionedTable } from '../../datasets/versions/versioned-table.ts';
import type { Row } from '../../storage/db.ts';

/**
 * The table in which a data set is exported. Each file in this folder exports one as `table`. Its
 * columns are the fields of the endpoint's rows, so that files and responses cannot differ.
 */
export interface DatasetTable {
  /** Name of the data set, which is also the name of its files. */
  name: DatasetName | 'market-overrides';
  describe: string;
  /** Path of the endpoint whose rows have the same fields; null if no endpoint lists them. */
  endpoint: string | null;
  /** Schema of a row. Optional fields, such as `provenance`, are not columns. */
  row: TObject;
  /** Fields of `row` that are not columns, because they change without a new version. */
  omitted: readonly string[];
  /** Decimals of columns that have more than six. */
  places: Readonly<Record<string, number>>;
  /**
   * Maps provenance names to the fields that they cover, for names that differ from their fields.
   */
  sources: Readonly<Record<string, readonly string[]>>;
  /** Parts of fields that have a source of their own, such as `estimates.eps`. */
  sourcedParts: readonly string[];
  stored: StoredRows;
  /** Renders a stored row with the fields of `row`. */
  render(stored: Row): object;
  /**
   * Computes again what depended on fields that were just removed from a stored row, because their
   * sources must not be redistributed.
   */
  recompute(stored: Row): object;
}

/** The stored rows of a table. SQL expressions refer to a row as `v`. */
export interface StoredRows {
  /** SQL list of the columns that `render` reads. */
  select: string;
  /** SQL for the table with all versions; null if there are only current rows. */
  versions: string | null;
  /**
   * SQL for the current rows: a table or a subquery in brackets. A function chooses rows without
   * those of the given sources.
   */
  current: string | ((withoutSources: readonly string[]) => string);
  /** The day by which rows are grouped and filtered; null if rows have none. */
  day: string | null;
  /** The field of a stored row with that day. */
  dayField: string | null;
  /**
   * Returns an SQL condition on a row without provenance: a source other than the given ones knows
   * it. Null if rows have provenance.
   */
  knownWithout: ((sources: readonly string[]) => string) | null;
  /** Columns that define a unique order of the rows. */
  order: readonly string[];
  /** The security that a row is about, which stays the same when its symbol changes; or null. */
  securityId: string | null;
  /** Times between which a row was current. */
  knownFrom: string;
  knownTo: string;
  /**
   * Table of the aggregate `value`, which differs whenever rows were added, closed or changed. Null
   * if rows have values that change without a new version.
   */
  fingerprint: { table: string; value: string } | null;
}

/** Types `render`, and sets what most tables have in common. */
export function defineTable<Stored extends object>(
  table: Pick<DatasetTable, 'name' | 'describe' | 'endpoint' | 'row' | 'stored'> &
    Partial<Omit<DatasetTable, 'render' | 'recompute'>> & {
      render(stored: Stored): object;
      recompute?(stored: Stored): Stored;
    },
): DatasetTable {
  const defaults = { omitted: [], places: {}, sources: {}, sourcedParts: [] };
  return {
    ...defaults,
    ...table,
    render: (stored) => table.render(stored as Stored),
    recompute: (stored) => table.recompute?.(stored as Stored) ?? stored,
  };
}

/**
 * Covers every value of rows that are changed in place. Their times do not: a corrected row may be
 * older than the newest one.
 */
export const CONTENT_FINGERPRINT = `concat_ws('/', count(*), sum(hash_record_extended(v, 0)))`;

const VERSIONS_FINGERPRINT = `concat_ws('/', count(*), count(v.known_to), max(v.known_from),
  max(v.known_to))`;

/** Describes the rows of a table of versions. `key` identifies a fact. */
export function storedVersions<Version extends object>(
  table: string,
  versions: VersionedTable<Version>,
  options: {
    key: string;
    day?: readonly [column: string, field: keyof Version & string];
    securityId?: string;
    select?: readonly string[];
  },
): StoredRows {
  const { key, securityId = null, select = [] } = options;
  const [day = null, dayField = null] = options.day ?? [];
  return {
    select: [versions.selection, ...select].join(', '),
    versions: table,
    current: `(select * from ${table} where known_to is null)`,
    day: day === null ? null : `v.${day}`,
    dayField,
    knownWithout: null,
    order: [...(day === null ? [] : [`v.${day}`]), `v.${key}`, 'v.known_from', 'v.version_id'],
    securityId: securityId === null ? null : `v.${securityId}`,
    knownFrom: 'v.known_from',
    knownTo: 'v.known_to',
    fingerprint: { table, value: VERSIONS_FINGERPRINT },
  };
}
