import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { memoryStore, postgresStore } from '../../test/support/stores.ts';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';

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

test('a store newer than the code is refused by its version', async () => {
  await migrate(db, folder);
  await rm(join(folder, '0002-second.sql'));
  await expect(migrate(db, folder)).rejects.toThrow('at version 0002-second, newer than');
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

async function put(file: string, sql: string): Promise<void> {
  await writeFile(join(folder, file), sql);
}
