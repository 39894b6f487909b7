import type { Db } from '../../storage/db.ts';
import { withTransactions } from './with-transactions.ts';

// One key of our own for all taking in of facts, held to the end of each transaction.
const LOCK = 'select pg_advisory_xact_lock(7209465172)';

/**
 * The same store, whose transactions go one after the other whatever the process: a merge derives
 * rows from all that was seen, so two at once would each miss what the other brings. The embedded
 * store has one process, which takes in one answer at a time.
 */
export function oneWriterDb(db: Db): Db {
  if (db.engine === 'pglite') return db;
  return withTransactions(db, async (tx) => {
    // No rows of interest; waits for its turn.
    await tx.query(LOCK);
  });
}
