import type { Db } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';

/** Wraps a store to report whether a call is in flight. */
export function countingDb(db: Db): {
  db: Db;
  track<T>(call: Promise<T>): Promise<T>;
  isBusy(): boolean;
} {
  let calls = 0;
  const track = async <T>(call: Promise<T>): Promise<T> => {
    calls++;
    try {
      return await call;
    } finally {
      calls--;
    }
  };
  return {
    db: forward(db, {
      query: (...args) => track(db.query(...args)),
      execute: (...args) => track(db.execute(...args)),
      transaction: (...args) => track(db.transaction(...args)),
    }),
    track,
    isBusy: () => calls > 0,
  };
}
