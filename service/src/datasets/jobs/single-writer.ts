import type { Db, Transaction } from '../../storage/db.ts';
import { forward } from '../../storage/forward.ts';

/** Advisory lock for ingestion, held until the end of each transaction. */
const LOCK = 'select pg_advisory_xact_lock(7209465172)';

/**
 * Serializes write transactions across processes. A merge derives rows from everything stored, so
 * two concurrent merges would each miss the other's rows. The embedded database has a single
 * process, which ingests one response at a time and needs no lock.
 */
export function singleWriterDb(db: Db): Db {
  if (db.engine === 'pglite') return db;
  return withTransactionStart(db, async (tx) => {
    // Waits for the lock. The returned row is ignored.
    await tx.query(LOCK);
  });
}

/** Runs `start` first in every transaction. If it throws, the transaction is rolled back. */
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
