import { expect, test } from 'vitest';
import { describeDriver } from './conformance.ts';
import { StoreUnavailableError } from './errors.ts';
import { openPostgres, refuseOldServer } from './postgres.ts';
import { postgresStore } from '../../test/support/stores.ts';

const first = await postgresStore();

if ('missing' in first) {
  test('PostgreSQL keeps what every driver promises', ({ skip }) => {
    skip(first.missing);
    expect(first).toHaveProperty('db');
  });
} else {
  let unused: typeof first.db | undefined = first.db;
  describeDriver('PostgreSQL', async () => {
    const db = unused;
    unused = undefined;
    if (db !== undefined) return db;
    const another = await postgresStore();
    if ('missing' in another) throw new Error(another.missing);
    return another.db;
  });

  test('a connection the server ends fails as unavailable, and the next call works', async () => {
    const store = await postgresStore();
    if ('missing' in store) throw new Error(store.missing);
    const end = 'select pg_terminate_backend(pg_backend_pid())';
    await expect(store.db.query(end)).rejects.toBeInstanceOf(StoreUnavailableError);
    const work = store.db.transaction((tx) => tx.query(end));
    await expect(work).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.db.query('select 1 as value')).resolves.toEqual([{ value: 1 }]);
    await store.db.close();
  });
}

test('a server that is not there is reported as unavailable', async () => {
  const db = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(db.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailableError);
  await db.close();
});

test('a server older than 15 is refused by its version', async () => {
  const old = {
    query: async () => [{ number: 140_011, shown: '14.11' }],
  } as unknown as Parameters<typeof refuseOldServer>[0];
  await expect(refuseOldServer(old)).rejects.toThrow('PostgreSQL 14.11; 15 or newer is needed');
});
