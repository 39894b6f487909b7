import type { Db } from '../../src/storage/db.ts';

/**
 * The store, whose snapshots are read in one transaction instead of from a copy, which is faster.
 * `check` runs before each statement of a snapshot and may throw.
 */
export function readInPlace(db: Db, check: (sql: string) => void = () => undefined): Db {
  return {
    engine: db.engine,
    query: (sql, params) => db.query(sql, params),
    transaction: (work, options) => db.transaction(work, options),
    execute: (script) => db.execute(script),
    close: () => db.close(),
    readSnapshot: (work) =>
      db.transaction((tx) =>
        work({
          query(sql, params) {
            check(sql);
            return tx.query(sql, params);
          },
          copyOut: () => Promise.reject(new Error('not available in this test')),
        }),
      ),
  };
}
