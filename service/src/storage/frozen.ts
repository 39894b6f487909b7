import type { Db, FrozenView } from './db.ts';

/** Runs `work` on the store as it stands now, while others go on reading and writing it. */
export function readFrozen<T>(db: Db, work: (view: FrozenView) => Promise<T>): Promise<T> {
  if (db.frozen === undefined) throw new Error('What stands in for this store cannot be frozen.');
  return db.frozen(work);
}

/** For a store that wraps another: the other's freezing, where it has one. */
export function frozenOf(db: Db): Pick<Db, 'frozen'> {
  return db.frozen === undefined ? {} : { frozen: (work) => readFrozen(db, work) };
}
