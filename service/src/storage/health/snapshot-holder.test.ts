import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { postgresStore } from '../../../test/support/stores.ts';
import { checkSnapshots } from '../../cli/doctor/check-snapshots.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { Db } from '../db.ts';
import { openPostgres } from '../engines/postgres/postgres.ts';
import { fixForHolder, loadSnapshotHolder, type SnapshotHolder } from './snapshot-holder.ts';
import { registerStoreMetrics } from './store-metrics.ts';

onEachEngine((db) => {
  test('finds no holder of a snapshot in a store without other sessions', async () => {
    expect(await loadSnapshotHolder(db())).toBeNull();
    expect(await checkSnapshots(db())).toMatchObject({ state: 'ok' });
  });
});

const server = await postgresStore();

describe.skipIf('missing' in server)('a snapshot held by another session', () => {
  let db: Db;
  let other: Db;

  beforeAll(() => {
    if ('missing' in server) return;
    db = server.db;
    const url = new URL(server.url);
    other = openPostgres({ url: url.href, poolSize: 1 });
  });
  afterAll(async () => {
    await other.close();
    await db.close();
  });

  test('is reported with process, application and age, in metrics and by the doctor', async () => {
    await other.readSnapshot(async (view) => {
      const [session] = await view.query<{ pid: string }>('select pg_backend_pid()::text as pid');
      // Only transactions that write count.
      await db.query("insert into store_marker (name, value) values ('held', 'x')");
      const holder = await loadSnapshotHolder(db);
      expect(holder).toMatchObject({ kind: 'session', name: session?.pid });
      expect(holder?.state).toBe('idle in transaction');
      const metrics = createMetrics();
      registerStoreMetrics(metrics, db);
      const text = await metrics.text();
      expect(text).toMatch(/^afterbell_store_snapshot_transactions [1-9]\d*$/m);
      expect(text).toMatch(/^afterbell_store_snapshot_seconds (?!0$)[\d.e-]+$/m);
      const old = { ...holder, ageSeconds: 7_200 } as SnapshotHolder;
      expect(await checkSnapshots(db, () => Promise.resolve(old))).toMatchObject({
        state: 'warning',
        message: expect.stringContaining(`session ${session?.pid} (`),
        fix: `end the session: select pg_terminate_backend(${session?.pid})`,
      });
    });
    expect(await loadSnapshotHolder(db)).toBeNull();
  });
});

test.each([
  ['session', '7', 'end the session: select pg_terminate_backend(7)'],
  ['prepared transaction', "a'b", "finish it: rollback prepared 'a''b'"],
  ['replication slot', 's1', expect.stringContaining("select pg_drop_replication_slot('s1')")],
  ['standby', '8', expect.stringContaining('hot_standby_feedback')],
] as const)('says how to end the snapshot of a %s', (kind, name, fix) => {
  expect(fixForHolder({ ...NOBODY, kind, name })).toEqual(fix);
});

const NOBODY = {
  application: '',
  user: '',
  state: '',
  ageSeconds: null,
  transactions: 1,
};
