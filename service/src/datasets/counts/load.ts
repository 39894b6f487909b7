import type { LocalDate } from '../../domain/local-date.ts';
import type { Queryable } from '../../storage/db.ts';
import type { CoverageTable } from './coverage-table.ts';

/** Coverage of one data set. */
export interface Coverage {
  rows: number;
  /** True if `rows` and `filled` come from a sample of a large table. */
  isEstimate: boolean;
  symbols: number | null;
  firstDate: LocalDate | null;
  lastDate: LocalDate | null;
  /** Fraction of the rows in which a field is known, from 0 to 1; null if there are no rows. */
  filled: { field: string; share: number | null }[];
}

/** Maximum number of 8 KiB pages to read. A larger table is sampled. */
const PAGES_MAX = 4_000;
const PAGE_BYTES = 8_192;

/**
 * Counts the rows of one data set without reading all of a large table: it reads a few thousand
 * pages, and performs one index lookup per security and two for the first and last days. Does not
 * depend on planner statistics.
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
  // Returns one row with the size of the table, taken from the file system.
  const [size] = await db.query<{ bytes: number }>(
    `select pg_relation_size('${table}'::regclass) as bytes`,
  );
  const pages = Math.ceil((size?.bytes ?? 0) / PAGE_BYTES);
  return pages <= pagesMax ? 100 : (pagesMax / pages) * 100;
}

async function countSample(
  db: Queryable,
  { table, condition: counted, fields }: CoverageTable,
  sample: string,
): Promise<Record<string, number>> {
  const counts = fields.map(([, expression], i) => `count(${expression}) as f${i}`);
  // Returns one row. Scans the sampled pages, or all pages of a small table.
  const [row] = await db.query<Record<string, number>>(
    `select ${['count(*) as rows', ...counts].join(', ')} from ${table} ${sample}
      where ${counted}`,
  );
  return row ?? {};
}

async function loadDays(
  db: Queryable,
  { table, condition: counted, dateColumn }: CoverageTable,
): Promise<{ first: LocalDate | null; last: LocalDate | null }> {
  if (dateColumn === null) return { first: null, last: null };
  // Returns one row. Reads both ends of the index on the date.
  const [row] = await db.query<{ first: LocalDate | null; last: LocalDate | null }>(
    `select (select min(${dateColumn}) from ${table} where ${counted}) as first,
            (select max(${dateColumn}) from ${table} where ${counted}) as last`,
  );
  return row ?? { first: null, last: null };
}

async function countSymbols(db: Queryable, { symbols }: CoverageTable): Promise<number | null> {
  if (symbols === null) return null;
  // Returns one row. The coverage table specifies the index.
  const [row] = await db.query<{ symbols: number }>(symbols);
  return row?.symbols ?? 0;
}

/** Rounds to three significant digits, because a sample is no more precise. */
function roundEstimate(rows: number): number {
  return rows === 0 ? 0 : Number(rows.toPrecision(3));
}
