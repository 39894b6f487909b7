import { localDate, type LocalDate } from '../domain/local-date.ts';
import type { DatasetTable } from '../endpoints/tables/table.ts';
import type { SnapshotView } from '../storage/db.ts';

/** Rows of a table that share a file. */
export interface Period {
  file: string;
  from: LocalDate | null;
  to: LocalDate | null;
  isUndated: boolean;
  /** Differs whenever the rows have changed; null if that is unknown. */
  state: string | null;
}

/**
 * Returns the periods of a table that have rows: its years, and the rows without a day. An empty
 * table has one period, so that its columns can be read.
 */
export async function loadPeriods(
  view: SnapshotView,
  { stored: { day, fingerprint } }: DatasetTable,
): Promise<Period[]> {
  const all = { file: 'all.parquet', from: null, to: null, isUndated: false };
  if (fingerprint === null) return [{ ...all, state: null }];
  const { table, value } = fingerprint;
  // Returns one row per year. Scans the table.
  const rows = await view.query<{ year: number | null; state: string }>(
    `select ${day === null ? 'null::int' : `extract(year from ${day})::int`} as year,
            ${value} as state
       from ${table} v group by 1 order by 1`,
  );
  if (rows.length === 0) return [{ ...all, state: 'empty' }];
  return rows.map(({ year, state }) => {
    if (day === null) return { ...all, state };
    if (year === null) return { ...all, file: 'undated.parquet', isUndated: true, state };
    const [from, to] = [localDate(`${year}-01-01`), localDate(`${year}-12-31`)];
    return { file: `${year}.parquet`, from, to, isUndated: false, state };
  });
}
