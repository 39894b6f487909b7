import type { Db } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';

/** A store that reports whether a call is in flight. */
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
    db: forward(db, {
      query: (...args) => counted(db.query(...args)),
      execute: (...args) => counted(db.execute(...args)),
      transaction: (...args) => counted(db.transaction(...args)),
    }),
    counted,
    isBusy: () => calls > 0,
  };
}
