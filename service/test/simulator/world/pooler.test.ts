import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Random } from '../../../src/platform/random.ts';
import { createCounts } from './counts.ts';
import { type InlineStore, openInlineStore } from './inline-store.ts';
import { SimulatedPooler } from './pooler.ts';

let store: InlineStore;
/** The connection on which the next call runs. */
let connection = 0;

beforeAll(async () => {
  store = await openInlineStore();
  await store.query('create table pooled (n integer)');
  return () => store.close();
});

function openPooler(draw = 0): SimulatedPooler {
  const random: Random = {
    bytes: () => new Uint8Array(),
    int: () => connection,
    float: () => draw,
  };
  connection = 0;
  onTestFinished(() => void store.query('delete from pooled'));
  return new SimulatedPooler(store, { random, counts: createCounts(), now: () => 0 });
}

const readSetting = `select current_setting('test.value', true) as value`;

test('keeps settings on the connection on which they were made', async () => {
  const pooler = openPooler();
  await pooler.query(`set test.value = 'a'`);
  expect(await pooler.query(readSetting)).toEqual([{ value: 'a' }]);
  connection = 1;
  expect(await pooler.query(readSetting)).not.toEqual([{ value: 'a' }]);
  await pooler.transaction((tx) => tx.query(`select set_config('test.value', $1, false)`, ['b']));
  connection = 0;
  expect(await pooler.transaction((tx) => tx.query(readSetting))).toEqual([{ value: 'a' }]);
});

test('rejects a statement that was prepared on another connection', async () => {
  const pooler = openPooler();
  await pooler.query('prepare p as select 1 as n');
  expect(await pooler.query('execute p')).toEqual([{ n: 1 }]);
  connection = 1;
  await expect(pooler.query('execute p')).rejects.toMatchObject({ sqlState: '26000' });
});

test('keeps an advisory lock on the connection that took it', async () => {
  const pooler = openPooler();
  await pooler.query('select pg_advisory_lock(7) as locked');
  connection = 1;
  expect(await pooler.query('select pg_try_advisory_lock(7) as locked')).toEqual([
    { locked: false },
  ]);
  expect(await pooler.query('select pg_advisory_unlock(7) as unlocked')).toEqual([
    { unlocked: false },
  ]);
  connection = 0;
  expect(await pooler.query('select pg_advisory_unlock(7) as unlocked')).toEqual([
    { unlocked: true },
  ]);
});

test.each([
  { draw: 0, kept: 1, outcome: 'after' },
  { draw: 0.9, kept: 0, outcome: 'before' },
])('loses a connection $outcome the commit', async ({ draw, kept }) => {
  const pooler = openPooler(draw);
  pooler.crashAfter(1);
  const insert = pooler.transaction((tx) => tx.query('insert into pooled values (1)'));
  await expect(insert).rejects.toThrow('server conn crashed?');
  expect(await pooler.query('select n from pooled')).toHaveLength(kept);
});

test('refuses calls for a while, also those that began before a crash', async () => {
  const pooler = openPooler();
  pooler.crashAfter(0);
  const calls = [pooler.query('select 1'), pooler.query('select 2')];
  const results = await Promise.allSettled(calls);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  pooler.refuse(1, 1);
  await expect(pooler.query('select 1')).rejects.toThrow('query_wait_timeout');
});
