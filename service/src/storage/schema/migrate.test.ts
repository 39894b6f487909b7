import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { memoryStore, postgresStore } from '../../../test/support/stores.ts';
import type { Db } from '../db.ts';
import { migrate, MigrationError, pendingMigrations } from './migrate.ts';

let db: Db;
let folder: string;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.execute('drop schema public cascade; create schema public');
  folder = await mkdtemp(join(tmpdir(), 'afterbell-migrate-'));
  await put('0001-first.sql', 'create table a (n integer); insert into a values (1);');
  await put('0002-second.sql', 'insert into a values (2); -- the end');
  return () => rm(folder, { recursive: true });
});

test('applies each migration file once, in numeric order', async () => {
  expect(await migrate(db, folder)).toEqual(['0001-first', '0002-second']);
  expect(await migrate(db, folder)).toEqual([]);
  expect(await db.query('select n from a')).toEqual([{ n: 1 }, { n: 2 }]);
});

test('rolls back a failing migration file and reports its name', async () => {
  await put('0003-third.sql', 'create table b (n integer); select 1 / 0;');
  await expect(migrate(db, folder)).rejects.toThrow('0003-third failed: division by zero');
  expect(await db.query("select to_regclass('b')::text as b")).toEqual([{ b: null }]);
  await put('0003-third.sql', 'create table b (n integer);');
  expect(await migrate(db, folder)).toEqual(['0003-third']);
});

test("rejects a store newer than the program and reports the store's version", async () => {
  await put('0003-third.sql', 'select 1;');
  await migrate(db, folder);
  await rm(join(folder, '0002-second.sql'));
  await rm(join(folder, '0003-third.sql'));
  await expect(migrate(db, folder)).rejects.toThrow('at version 0003-third, newer than');
});

test('says which privilege to grant when the database user may not create tables', async () => {
  await db.execute('create role guest; grant usage on schema public to guest; set role guest');
  onTestFinished(() => db.execute('reset role'));
  const migrating = migrate(db, folder);
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow('grant create on schema public');
});

test('needs no privilege to create tables when no migration is pending', async () => {
  await migrate(db, folder);
  await db.execute('create role clerk; grant usage on schema public to clerk');
  await db.execute('grant select on schema_migration to clerk; set role clerk');
  onTestFinished(() => db.execute('reset role'));
  expect(await migrate(db, folder)).toEqual([]);
  await put('0003-third.sql', 'create table b (n integer);');
  expect(await pendingMigrations(db, folder)).toEqual(['0003-third']);
  await expect(migrate(db, folder)).rejects.toThrow(/0003-third failed: .*run `afterbell migrate`/);
});

test('rejects a database with the tables of another program, and changes nothing in it', async () => {
  await db.execute('create table orders (n integer); create table customer (n integer)');
  await expect(migrate(db, folder)).rejects.toThrow(
    /another program \(customer, orders\), and nothing was changed: create a database/,
  );
  // Returns the tables of the other program.
  const tables = await db.query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  expect(tables).toEqual([{ name: 'customer' }, { name: 'orders' }]);
});

test('lists pending migrations without changing the store', async () => {
  expect(await pendingMigrations(db, folder)).toEqual(['0001-first', '0002-second']);
  expect(await migrate(db, folder, 0)).toEqual([]);
  // Returns no row, because no table exists yet.
  expect(await db.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
  await migrate(db, folder, 1);
  expect(await pendingMigrations(db, folder)).toEqual(['0002-second']);
  await migrate(db, folder);
  expect(await pendingMigrations(db, folder)).toEqual([]);
});

test('says what to configure when the database server is read-only', async () => {
  await db.execute('set default_transaction_read_only = on');
  onTestFinished(() => db.execute('reset default_transaction_read_only'));
  const migrating = migrate(db, folder);
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow('set DATABASE_URL to its primary');
});

test('rejects an applied migration file whose content has changed', async () => {
  await migrate(db, folder);
  await put('0001-first.sql', 'create table a (n bigint);');
  await expect(migrate(db, folder)).rejects.toThrow('0001-first was changed');
});

test('rejects a migration file numbered below an applied one, and two files with the same number', async () => {
  await put('0004-fourth.sql', 'select 1;');
  await migrate(db, folder);
  await put('0003-late.sql', 'select 1;');
  await expect(migrate(db, folder)).rejects.toThrow('numbered below 0004-fourth');
  await put('0004-twin.sql', 'select 1;');
  await expect(migrate(db, folder)).rejects.toThrow('share a number');
});

test('applies each migration file once when several processes migrate one PostgreSQL database', async ({
  skip,
}) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  await store.db.execute('drop schema public cascade; create schema public');
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate(store.db, folder)));
  expect(results.flat().toSorted()).toEqual(['0001-first', '0002-second']);
  expect(await store.db.query('select n from a')).toEqual([{ n: 1 }, { n: 2 }]);
  await store.db.close();
});

test("lets a migration run longer than the server's statement timeout", async ({ skip }) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  const { db: years } = store;
  onTestFinished(() => years.close());
  const limit = "current_setting('statement_timeout') as limit";
  await years.execute('drop schema public cascade; create schema public');
  await put('0003-third.sql', `create table b as select ${limit};`);
  await migrate(years, folder);
  expect(await years.query('select * from b')).toEqual([{ limit: '0' }]);
  // The timeout applies again to later statements on this connection.
  expect(await years.query(`select ${limit}`)).toEqual([{ limit: '1min' }]);
});

async function put(file: string, sql: string): Promise<void> {
  await writeFile(join(folder, file), sql);
}
