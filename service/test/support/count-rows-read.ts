import type { Transaction } from '../../src/storage/db.ts';

/**
 * Returns the number of rows of a table that `work` reads in the transaction, according to the
 * database's statistics.
 */
export async function countRowsRead(
  tx: Transaction,
  table: string,
  work: () => Promise<void>,
): Promise<number> {
  const before = await countOf(tx, table);
  await work();
  return (await countOf(tx, table)) - before;
}

async function countOf(tx: Transaction, table: string): Promise<number> {
  // Returns one row.
  const [row] = await tx.query<{ count: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int4 as count
       from pg_stat_xact_user_tables where relname = $1`,
    [table],
  );
  return row?.count ?? Number.NaN;
}
