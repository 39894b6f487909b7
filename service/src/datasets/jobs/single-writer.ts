import type { Db, Transaction } from '../../storage/db.ts';
import { forward } from '../../storage/forward.ts';

/** Advisory lock of ingestion. Held until the end of each transaction. */
const LOCK = 'select pg_advisory_xact_lock(7209465172)';

/**
 * Serializes write transactions across processes. A merge derives rows from everything stored, so
 * two concurrent merges would each miss the other's rows. The embedded store has a single process,
 * which ingests one response at a time, and needs no lock.
 */
export function singleWriterDb(db: Db): Db {
  if (db.engine === 'pglite') return db;
  return withTransactionStart(db, async (tx) => {
    // Returns no rows of interest. Waits for the lock.
    await tx.query(LOCK);
  });
}

/** Runs `start` first in every transaction. An error from it rolls the transaction back. */
export function withTransactionStart(db: Db, start: (tx: Transaction) => Promise<void>): Db {
  return forward(db, {
    transaction: (work, ...options) =>
      db.transaction(
        async (tx) => {
          await start(tx);
          return work(tx);
        },
        ...options,
      ),
  });
}
