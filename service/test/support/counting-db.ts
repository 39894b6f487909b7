import type { Db } from '../../src/storage/db.ts';

/** The same store, which knows whether a call is under way. */
export function countingDb(db: Db): {
  db: Db;
  counted<T>(call: Promise<T>): Promise<T>;
  isBusy(): boolean;
} {
  let calls = 0;
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    calls++;
    try {
      return await call;
    } finally {
      calls--;
    }
  };
  return {
    db: {
      engine: db.engine,
      query: (sql, params) => counted(db.query(sql, params)),
      execute: (script) => counted(db.execute(script)),
      transaction: (work) => counted(db.transaction(work)),
      close: () => db.close(),
    },
    counted,
    isBusy: () => calls > 0,
  };
}
