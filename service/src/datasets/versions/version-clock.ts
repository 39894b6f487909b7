import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';

/**
 * The order of commits, as instants. Two rules make an answer as of a past instant final: a writer
 * takes its instant here, not before the newest one taken, and keeps all others waiting until its
 * commit; and a read as of an instant first sees to it that every writer to come is later.
 */

/**
 * The instant of the versions that this transaction writes: now, or the newest instant known when
 * that is later. To be called right before the first version is written; until the transaction ends
 * other writers, and reads as of now, wait here.
 */
export async function takeVersionInstant(tx: Transaction, now: Instant): Promise<Instant> {
  // Raises the only row, by its primary key, and returns it; the row stays locked till the commit.
  const [row] = await tx.query<{ at: Instant }>(
    `insert into version_clock as c (at) values (to_timestamp($1 / 1000.0))
     on conflict (only_row) do update set at = greatest(c.at, excluded.at)
     returning at`,
    [now],
  );
  if (row === undefined) throw new Error('version_clock returned no row');
  return row.at;
}

/**
 * Returns when what was known at an instant is settled: everything that will ever be known of it is
 * committed. It waits for a writer under way at most once for each instant.
 */
export async function settleVersions(db: Queryable, at: Instant): Promise<void> {
  // One row, by the primary key. A writer under way has an instant no earlier than what is read
  // here, since it started from the same row.
  const [row] = await db.query<{ settled: boolean }>(
    `select at > to_timestamp($1 / 1000.0) as settled from version_clock`,
    [at],
  );
  if (row?.settled === true) return;
  // Raises the only row past the instant, after the writer that holds it has committed.
  await db.query(
    `insert into version_clock as c (at) values (to_timestamp($1 / 1000.0))
     on conflict (only_row) do update set at = excluded.at where c.at < excluded.at`,
    [at + 1],
  );
}
