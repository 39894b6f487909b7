import type { Db } from './db.ts';

/**
 * Returns a store that passes every call with all its arguments to `db`, except for the methods in
 * `overrides`. Use it for every wrapper, because a wrapper that passes each argument by name would
 * silently drop options added later.
 */
export function forward(db: Db, overrides: Partial<Omit<Db, 'engine'>>): Db {
  return {
    engine: db.engine,
    query: (...args) => db.query(...args),
    transaction: (...args) => db.transaction(...args),
    readSnapshot: (...args) => db.readSnapshot(...args),
    execute: (...args) => db.execute(...args),
    ...(db.writeCount && { writeCount: () => db.writeCount?.() ?? 0 }),
    close: () => db.close(),
    ...overrides,
  };
}
