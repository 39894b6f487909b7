import type { Queryable } from '../db.ts';
import type { BackupTable, Counter, SchemaStep } from './manifest.ts';

/**
 * The table of applied migrations, which isn't backed up because restoring applies the migrations
 * again.
 */
const EXCLUDED_TABLE = 'schema_migration';

export async function loadSchemaSteps(db: Queryable): Promise<SchemaStep[]> {
  // Returns every applied migration, in order.
  return db.query<SchemaStep & Record<string, unknown>>(
    'select number, name, checksum from schema_migration order by number',
  );
}

/** Loads the names and columns of all tables except the list of migrations. */
export async function loadTables(db: Queryable): Promise<{ name: string; columns: string[] }[]> {
  // Returns one row per table, from the catalog.
  return db.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name,
            array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                          and a.attgenerated = ''
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and c.relname <> $1
      group by c.relname order by c.relname`,
    [EXCLUDED_TABLE],
  );
}

/**
 * Counts a table's rows and sums a hash of each row. The sum doesn't depend on the order of the
 * rows.
 */
export async function measureTable(
  db: Queryable,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<BackupTable> {
  const row = `row(${columns.map(quoteName).join(', ')})::text`;
  // Returns one row. Scans the table.
  const [measured] = await db.query<{ rows: number; checksum: string }>(
    `select count(*)::int8 as rows,
            coalesce(sum(('x' || left(md5(${row}), 16))::bit(64)::int8::numeric), 0)::text as checksum
       from ${quoteName(name)}`,
  );
  const { rows = 0, checksum = '0' } = measured ?? {};
  return { name, columns: [...columns], rows, checksum };
}

/** Loads the current values of all identity columns. */
export async function loadCounters(db: Queryable): Promise<Counter[]> {
  // Returns one row per column, from the catalog.
  const columns = await db.query<{ table: string; column: string; sequence: string }>(
    `select c.relname::text as table, a.attname::text as column,
            pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      order by c.relname, a.attnum`,
  );
  const counters: Counter[] = [];
  for (const { table, column, sequence } of columns) {
    // Returns the single row of a sequence.
    const [at] = await db.query<{ last: number; isGiven: boolean }>(
      `select last_value as last, is_called as "isGiven" from ${sequence}`,
    );
    if (at !== undefined) counters.push({ table, column, ...at });
  }
  return counters;
}

const CHUNK_BYTES = 8 * 1024 * 1024;

/**
 * Returns select statements that each read a few megabytes of a table and together read every row
 * once. They select by page range, which needs no key and no sorting.
 */
export async function chunkSelects(
  db: Queryable,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<string[]> {
  // Returns one row: the pages of the table, and its size including TOAST.
  const [size] = await db.query<{ pages: number; bytes: number }>(
    `select pg_relation_size(t) / current_setting('block_size')::int8 as pages,
            pg_table_size(t) as bytes
       from (select $1::text::regclass as t) as it`,
    [quoteName(name)],
  );
  const { pages = 0, bytes = 0 } = size ?? {};
  const step = Math.max(1, Math.floor((pages * CHUNK_BYTES) / Math.max(1, bytes)));
  const selects: string[] = [];
  for (let from = 0; from < pages; from += step) {
    selects.push(
      `select ${columns.map(quoteName).join(', ')} from ${quoteName(name)}
        where ctid >= '(${from},0)'::tid and ctid < '(${from + step},0)'::tid`,
    );
  }
  return selects;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
