import { beforeEach, expect, test } from 'vitest';
import { type InlineStore, openInlineStore } from './inline-store.ts';
import { PoweredStore } from './power.ts';

let store: InlineStore;
let machine: PoweredStore;
let now = 0;

beforeEach(async () => {
  store = await openInlineStore();
  await store.query('create table powered (n integer)');
  now = 0;
  machine = new PoweredStore(store, { now: () => now });
  return () => store.close();
});

function insert(n: number): Promise<unknown> {
  return machine.transaction((tx) => tx.query('insert into powered values ($1)', [n]));
}

async function stored(): Promise<number[]> {
  const rows = await store.query<{ n: number }>('select n from powered order by n');
  return rows.map(({ n }) => n);
}

test('keeps every synced commit and rolls back the transaction in progress', async () => {
  let isAlive = true;
  machine.onCut = () => void (isAlive = false);
  await insert(1);
  machine.cutAfter(1);
  const dying = machine.transaction(async (tx) => {
    await tx.query('insert into powered values (2)');
    await tx.query('insert into powered values (3)');
    if (!isAlive) throw new Error('died');
  });
  await expect(dying).rejects.toThrow('died');
  expect(await stored()).toEqual([1]);
});

test('loses only the commits of the last 30 seconds if they are not synced', async () => {
  store.stopSyncing();
  await insert(1);
  now = 30_000;
  await insert(2);
  await machine.query('insert into powered values (3)');
  await expect(machine.query('select 1 / 0')).rejects.toThrow('division by zero');
  expect(await stored()).toEqual([1, 2, 3]);
  machine.cut();
  expect(await stored()).toEqual([1]);
  await insert(4);
  now = 60_000;
  machine.cut();
  expect(await stored()).toEqual([1, 4]);
});
