import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';
import type { CoverageTable } from './coverage-table.ts';

/** How much there is of one data set. */
export interface Coverage {
  rows: number;
  /** True: `rows` and `filled` come from a sample of a large table. */
  isEstimate: boolean;
  symbols: number | null;
  firstDate: LocalDate | null;
  lastDate: LocalDate | null;
  /** Share of the rows in which a field is known, 0 to 1; null when there are no rows. */
  filled: { field: string; share: number | null }[];
}

/** Pages of 8 KiB that are read to count a table; a larger one is sampled. */
const PAGES_MAX = 4_000;
const PAGE_BYTES = 8_192;

/**
 * Counts one data set without reading all of a large table: at most some thousands of its pages, one
 * look into an index for each security, and two for the first and the last day. A store without
 * figures for its planner is counted as well as any.
 */
export async function loadCoverage(
  db: Queryable,
  table: CoverageTable,
  pagesMax: number = PAGES_MAX,
): Promise<Coverage> {
  const percent = await samplePercent(db, table.table, pagesMax);
  const sample = percent === 100 ? '' : `tablesample system (${percent}) repeatable (1)`;
  const { rows = 0, ...counts } = await countSample(db, table, sample);
  const { first, last } = await loadDays(db, table);
  return {
    rows: percent === 100 ? rows : roundEstimate((rows * 100) / percent),
    isEstimate: percent !== 100,
    symbols: await countSymbols(db, table),
    firstDate: first,
    lastDate: last,
    filled: table.fields.map(([field], i) => ({
      field,
      share: rows === 0 ? null : Math.round(((counts[`f${i}`] ?? 0) / rows) * 1e4) / 1e4,
    })),
  };
}

async function samplePercent(db: Queryable, table: string, pagesMax: number): Promise<number> {
  // One row: the bytes of the table, from the file system.
  const [size] = await db.query<{ bytes: number }>(
    `select pg_relation_size('${table}'::regclass) as bytes`,
  );
  const pages = Math.ceil((size?.bytes ?? 0) / PAGE_BYTES);
  return pages <= pagesMax ? 100 : (pagesMax / pages) * 100;
}

async function countSample(
  db: Queryable,
  { table, counted, fields }: CoverageTable,
  sample: string,
): Promise<Record<string, number>> {
  const counts = fields.map(([, expression], i) => `count(${expression}) as f${i}`);
  // One row: a scan of the pages of the sample, or of all where there are few.
  const [row] = await db.query<Record<string, number>>(
    `select ${['count(*) as rows', ...counts].join(', ')} from ${table} ${sample}
      where ${counted}`,
  );
  return row ?? {};
}

async function loadDays(
  db: Queryable,
  { table, counted, dateColumn }: CoverageTable,
): Promise<{ first: LocalDate | null; last: LocalDate | null }> {
  if (dateColumn === null) return { first: null, last: null };
  // One row; each by one end of the index of the day.
  const [row] = await db.query<{ first: LocalDate | null; last: LocalDate | null }>(
    `select (select min(${dateColumn}) from ${table} where ${counted}) as first,
            (select max(${dateColumn}) from ${table} where ${counted}) as last`,
  );
  return row ?? { first: null, last: null };
}

async function countSymbols(db: Queryable, { symbols }: CoverageTable): Promise<number | null> {
  if (symbols === null) return null;
  // One row; the table says by which index.
  const [row] = await db.query<{ symbols: number }>(symbols);
  return row?.symbols ?? 0;
}

/** Three digits: more would promise what a sample cannot hold. */
function roundEstimate(rows: number): number {
  return rows === 0 ? 0 : Number(rows.toPrecision(3));
}
