import type { Queryable } from '../../storage/db.ts';
import type { RecordedRow } from './record-rows.ts';

/** Subject under which sources file what they say of a filer at the SEC. */
export function filerKey(cik: string): string {
  return `CIK${cik}`;
}

/** The filer's number (ten digits) of such a subject; null for a symbol. */
export function filerOf(entityKey: string): string | null {
  return /^CIK\d{10}$/.test(entityKey) ? entityKey.slice(3) : null;
}

/** Which of the subjects any source ever spoke of in that data set. */
export async function keysWithRecords(
  db: Queryable,
  dataset: string,
  entityKeys: Iterable<string>,
): Promise<string[]> {
  const wanted = [...new Set(entityKeys)];
  if (wanted.length === 0) return [];
  // The subjects with at least one record; by the unique key of source_record.
  const rows = await db.query<{ entityKey: string }>(
    `select s.subject from unnest($2::text[]) as s(subject)
      where exists (select 1 from source_record r where r.dataset = $1 and r.subject = s.subject)`,
    [dataset, wanted],
  );
  return rows.map((row) => row.entityKey);
}

/** Subjects of a data set's rows, each once; of all its rows unless `counts` picks some. */
export function touchedKeys(
  rows: readonly RecordedRow[],
  dataset: string,
  counts: (row: RecordedRow) => boolean = () => true,
): string[] {
  const touched = rows.filter((recorded) => recorded.row.dataset === dataset && counts(recorded));
  return [...new Set(touched.map(({ row }) => row.entityKey))];
}
