import { readdir, readFile } from 'node:fs/promises';
import { getPriority, platform } from 'node:os';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../../test/support/stores.ts';
import { describeDriver } from '../../../../test/support/storage-conformance.ts';
import type { Transaction } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';
import { openPglite } from './pglite.ts';

describeDriver('embedded store', memoryStore);

test('fails every call in flight and every later call when the PGlite thread dies', async () => {
  const db = await openPglite({ dataDir: 'memory://' });
  const calls = [
    db.query('select 1 from generate_series(1, 3000000)'),
    db.query('select 2'),
    db.transaction((tx) => tx.query('select 3')),
  ];
  const settled = Promise.allSettled(calls);
  await db.killThread();
  for (const call of await settled) {
    expect(call).toMatchObject({ status: 'rejected' });
    expect(call.status === 'rejected' && call.reason).toBeInstanceOf(StoreUnavailableError);
  }
  await expect(db.query('select 1')).rejects.toThrow('The embedded store is gone');
  await expect(db.close()).resolves.toBeUndefined();
});

test('rejects a store folder that cannot be opened and gives the reason', async () => {
  const open = openPglite({ dataDir: '/dev/null/nowhere' });
  await expect(open).rejects.toThrow('could not be opened');
});

test('prepares each statement in a keepsPlans transaction only once, even if a call fails', async () => {
  const db = await openPglite({ dataDir: 'memory://' });
  await db.execute('create table numbered (n int4 primary key, note text)');
  const find = 'select t.note from unnest($1::int4[]) as r(n) join numbered t on t.n = r.n';
  const keeping = { keepsPlans: true };
  const findValue = (value: number | string) =>
    db.transaction((tx) => tx.query(find, [[value]]), keeping);
  for (let time = 0; time < 3; time += 1) await findValue(time);
  // The error occurs when the parameter value is read. The statement has been prepared
  // nevertheless.
  await expect(findValue('no number')).rejects.toMatchObject({ sqlState: '22P02' });
  await findValue(4);
  // Returns one row per prepared statement, from the catalog.
  const [prepared] = await db.query<{ name: string }>(
    `select name, generic_plans as generic, custom_plans as custom from pg_prepared_statements
      where statement like 'select t.note%'`,
  );
  expect(prepared).toMatchObject({ generic: 4, custom: 0 });
  const explain = `explain execute ${prepared?.name}('{1}')`;
  const plan = await db.transaction((tx) => tx.query(explain), keeping);
  // Without keepsPlans, the planner would scan the table, because it is still empty.
  expect(JSON.stringify(plan)).toContain('Index Scan using numbered_pkey');
  // Sends two calls before the engine has replied to the first.
  const later = 'select n from numbered where n = $1';
  const queryTwice = (tx: Transaction) => Promise.all([1, 2].map((n) => tx.query(later, [n])));
  expect(await db.transaction(queryTwice, keeping)).toEqual([[], []]);
  await db.close();
});

test('reads a snapshot in a thread of lower priority, so that a backup leaves the processor to requests', async ({
  skip,
}) => {
  if (platform() !== 'linux') skip('only Linux has priorities of threads');
  const db = await openPglite({ dataDir: 'memory://' });
  const niceness = async (): Promise<Set<number>> => {
    const threads = await readdir('/proc/self/task');
    const stats = await Promise.all(
      threads.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '')),
    );
    // The 19th field of proc(5). The second is a name in parentheses.
    return new Set(
      stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])),
    );
  };
  const before = await niceness();
  const during = await db.readSnapshot(() => niceness());
  expect(before.has(10)).toBe(false);
  expect(during.has(10)).toBe(true);
  expect(getPriority(process.pid)).toBeLessThan(10);
  await db.close();
});
