import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from './db.ts';
import { openStore } from './open-store.ts';
import { whenWritten } from './when-written.ts';

let folder: string;
let db: Db;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterbell-quiet-'));
  db = await openStore({ folder });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test('asks the embedded store again only after a write, however it was made', async () => {
  let checks = 0;
  const check = whenWritten(db, async () => {
    checks += 1;
    return false;
  });
  const checksAfter = async (work: () => Promise<unknown>): Promise<number> => {
    await work();
    checks = 0;
    for (let i = 0; i < 3; i += 1) await check();
    return checks;
  };
  expect(await checksAfter(() => db.query('select 1'))).toBe(1);
  expect(await checksAfter(() => db.query('select 2'))).toBe(0);
  const insert = `insert into store_marker values ('a', 'b') on conflict do nothing`;
  expect(await checksAfter(() => db.query(insert))).toBe(1);
  expect(await checksAfter(() => db.query(`with n as (${insert}) select 1`))).toBe(1);
  expect(await checksAfter(() => db.transaction((tx) => tx.query(insert)))).toBe(1);
  expect(await checksAfter(() => db.execute(insert))).toBe(1);
  const heartbeat = `update ingest_lease set beat = beat + 1`;
  expect(await checksAfter(() => db.query(heartbeat))).toBe(0);
  expect(await checksAfter(() => db.query('broken').catch(() => null))).toBe(1);
});

test('asks every time while there is work, and on a store that others write to', async () => {
  let checks = 0;
  const count = async (): Promise<boolean> => (checks += 1) > 0;
  const check = whenWritten(db, count);
  for (let i = 0; i < 3; i += 1) await check();
  const shared = whenWritten({ query: db.query }, async () => (checks += 1) < 0);
  for (let i = 0; i < 3; i += 1) await shared();
  expect(checks).toBe(6);
});
