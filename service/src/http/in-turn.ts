import type { Turn } from '../platform/fair-queue.ts';
import type { Db, Queryable } from '../storage/db.ts';
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
