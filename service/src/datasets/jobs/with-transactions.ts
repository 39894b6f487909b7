import type { Db, Transaction } from '../../storage/db.ts';

/** The same store, of which every transaction begins with `before`; what that throws ends it. */
export function withTransactions(db: Db, before: (tx: Transaction) => Promise<void>): Db {
  return {
    engine: db.engine,
    query: (sql, params) => db.query(sql, params),
    execute: (script) => db.execute(script),
    close: () => db.close(),
    transaction: (work) =>
      db.transaction(async (tx) => {
        await before(tx);
        return work(tx);
      }),
  };
}
