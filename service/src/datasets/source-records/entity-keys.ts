import type { Queryable } from '../../storage/db.ts';
import type { RecordedRow } from './record-rows.ts';

/** Returns the entity key for rows about an SEC filer. */
export function filerKey(cik: string): string {
  return `CIK${cik}`;
}

/** Returns the CIK (ten digits) in a filer's entity key; null for a symbol. */
export function filerOf(entityKey: string): string | null {
  return /^CIK\d{10}$/.test(entityKey) ? entityKey.slice(3) : null;
}

/** Returns the entity keys that have any record in the data set. */
export async function keysWithRecords(
  db: Queryable,
  dataset: string,
  entityKeys: Iterable<string>,
): Promise<string[]> {
  const distinct = [...new Set(entityKeys)];
  if (distinct.length === 0) return [];
  // Returns one row per key with a record. Uses the unique key of source_record.
  const rows = await db.query<{ subject: string }>(
    `select s.subject from unnest($2::text[]) as s(subject)
      where exists (select 1 from source_record r where r.dataset = $1 and r.subject = s.subject)`,
    [dataset, distinct],
  );
  return rows.map(({ subject }) => subject);
}

/**
 * Returns the distinct entity keys of a data set's rows, limited to the rows that `counts` selects.
 */
export function touchedKeys(
  rows: readonly RecordedRow[],
  dataset: string,
  counts: (row: RecordedRow) => boolean = () => true,
): string[] {
  const touched = rows.filter((recorded) => recorded.row.dataset === dataset && counts(recorded));
  return [...new Set(touched.map(({ row }) => row.entityKey))];
}
