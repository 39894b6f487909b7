import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Db } from '../../src/storage/db.ts';
import { emptyStore, memoryStore, postgresStore } from './stores.ts';

/**
 * Runs the same tests on the embedded engine and on PostgreSQL. Each engine has one store, which is
 * emptied before every test. Without a PostgreSQL server, the PostgreSQL tests are skipped with the
 * reason.
 */
export function onEachEngine(define: (db: () => Db) => void): void {
  describe('embedded', () => {
    withStore(memoryStore, define);
  });
  describe('PostgreSQL', async () => {
    const server = await postgresStore();
    if ('missing' in server)
      test('skips the PostgreSQL tests if no server is available', ({ skip }) =>
        skip(server.missing));
    else withStore(() => Promise.resolve(server.db), define);
  });
}

function withStore(open: () => Promise<Db>, define: (db: () => Db) => void): void {
  let db: Db | undefined;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(() => emptyStore(store()));
  afterAll(() => store().close());
  define(store);

  function store(): Db {
    if (db === undefined) throw new Error('the store is not open');
    return db;
  }
}
