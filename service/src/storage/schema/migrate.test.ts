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

test('files are applied once, in order of number', async () => {
  expect(await migrate(db, folder)).toEqual(['0001-first', '0002-second']);
  expect(await migrate(db, folder)).toEqual([]);
  expect(await db.query('select n from a')).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a failing file leaves nothing of itself and names itself', async () => {
  await put('0003-third.sql', 'create table b (n integer); select 1 / 0;');
  await expect(migrate(db, folder)).rejects.toThrow('0003-third failed: division by zero');
  expect(await db.query("select to_regclass('b')::text as b")).toEqual([{ b: null }]);
  await put('0003-third.sql', 'create table b (n integer);');
  expect(await migrate(db, folder)).toEqual(['0003-third']);
});

test('a store newer than the code is refused by its version, however many steps lie between', async () => {
  await put('0003-third.sql', 'select 1;');
  await migrate(db, folder);
  await rm(join(folder, '0002-second.sql'));
  await rm(join(folder, '0003-third.sql'));
  await expect(migrate(db, folder)).rejects.toThrow('at version 0003-third, newer than');
});

test('a user who may not make tables is told what to grant', async () => {
  await db.execute('create role guest; grant usage on schema public to guest; set role guest');
  onTestFinished(() => db.execute('reset role'));
  const migrating = migrate(db, folder);
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow('grant create on schema public');
});

test('a user who may not make tables gets along where there is nothing to make', async () => {
  await migrate(db, folder);
  await db.execute('create role clerk; grant usage on schema public to clerk');
  await db.execute('grant select on schema_migration to clerk; set role clerk');
  onTestFinished(() => db.execute('reset role'));
  expect(await migrate(db, folder)).toEqual([]);
  await put('0003-third.sql', 'create table b (n integer);');
  expect(await pendingMigrations(db, folder)).toEqual(['0003-third']);
  await expect(migrate(db, folder)).rejects.toThrow(/0003-third failed: .*run `afterbell migrate`/);
});

test('what is pending is told without changing anything', async () => {
  expect(await pendingMigrations(db, folder)).toEqual(['0001-first', '0002-second']);
  expect(await migrate(db, folder, 0)).toEqual([]);
  // No row: there is no table at all.
  expect(await db.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
  await migrate(db, folder, 1);
  expect(await pendingMigrations(db, folder)).toEqual(['0002-second']);
  await migrate(db, folder);
  expect(await pendingMigrations(db, folder)).toEqual([]);
});

test('a server that only reads is told apart, with what to name instead', async () => {
  await db.execute('set default_transaction_read_only = on');
  onTestFinished(() => db.execute('reset default_transaction_read_only'));
  const migrating = migrate(db, folder);
  await expect(migrating).rejects.toBeInstanceOf(MigrationError);
  await expect(migrating).rejects.toThrow('name the primary in DATABASE_URL');
});

test('an applied file whose content changed is refused', async () => {
  await migrate(db, folder);
  await put('0001-first.sql', 'create table a (n bigint);');
  await expect(migrate(db, folder)).rejects.toThrow('0001-first was changed');
});

test('a late file below an applied number, and a number used twice, are refused', async () => {
  await put('0004-fourth.sql', 'select 1;');
  await migrate(db, folder);
  await put('0003-late.sql', 'select 1;');
  await expect(migrate(db, folder)).rejects.toThrow('numbered below 0004-fourth');
  await put('0004-twin.sql', 'select 1;');
  await expect(migrate(db, folder)).rejects.toThrow('share a number');
});

test('several processes migrating one PostgreSQL at once apply each file once', async ({
  skip,
}) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  await store.db.execute('drop schema public cascade; create schema public');
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(store.db, folder)));
  expect(done.flat().toSorted()).toEqual(['0001-first', '0002-second']);
  expect(await store.db.query('select n from a')).toEqual([{ n: 1 }, { n: 2 }]);
  await store.db.close();
});

test('a step may take as long as a store of years needs, on a server that ends statements', async ({
  skip,
}) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  const { db: years } = store;
  onTestFinished(() => years.close());
  const limit = "current_setting('statement_timeout') as limit";
  await years.execute('drop schema public cascade; create schema public');
  await put('0003-third.sql', `create table b as select ${limit};`);
  await migrate(years, folder);
  expect(await years.query('select * from b')).toEqual([{ limit: '0' }]);
  // What comes after on that connection is ended as before.
  expect(await years.query(`select ${limit}`)).toEqual([{ limit: '1min' }]);
});

async function put(file: string, sql: string): Promise<void> {
  await writeFile(join(folder, file), sql);
}
