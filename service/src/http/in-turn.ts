import type { Turn, WorkQueue } from '../platform/fair-queue.ts';
import type { Db, Queryable, Row, SqlValue } from '../storage/db.ts';
import { forward } from '../storage/forward.ts';

/** Returns a view of the store that lets other customers' work go first before each query. */
export function inTurn(db: Queryable, turn: Turn): Queryable {
  return {
    store: db.store ?? db,
    async query(sql, params) {
      await turn.pause();
      return db.query(sql, params);
    },
  };
}

/** Like `inTurn`, for a whole store. Transactions and snapshots do not give way once they run. */
export function storeInTurn(db: Db, turn: Turn): Db {
  return forward(db, inTurn(db, turn));
}

/**
 * Returns a view of the store in which each statement and each transaction waits in the queue by
 * itself, for work that also waits for something else, such as the hash of a password.
 */
export function storeByStatement(db: Db, queue: WorkQueue, key: string): Db {
  return forward(db, {
    query<T extends Row>(text: string, params?: readonly SqlValue[]) {
      return queue.submit(key, () => db.query<T>(text, params)).result;
    },
    transaction: (...args) => queue.submit(key, () => db.transaction(...args)).result,
  });
}
