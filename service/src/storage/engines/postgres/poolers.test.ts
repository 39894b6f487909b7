import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  POOLER_KINDS,
  type PoolerKind,
  type RunningPooler,
  startPooler,
} from '../../../../test/support/poolers.ts';
import { postgresServer } from '../../../../test/support/postgres-server.ts';
import { describeDriver } from '../../../../test/support/storage-conformance.ts';
import { postgresStore } from '../../../../test/support/stores.ts';
import type { Queryable } from '../../db.ts';
import { openStore } from '../../open-store.ts';
import { openPostgres } from './postgres.ts';

const poolers = new Map<PoolerKind, RunningPooler>();
let missing: string | null = null;
const server = await postgresServer();
for (const kind of POOLER_KINDS) {
  const started = 'missing' in server ? server : await startPooler(server.url, kind);
  if ('missing' in started) missing = started.missing;
  else poolers.set(kind, started);
}
afterAll(() => Promise.all(Array.from(poolers.values(), (pooler) => pooler.close())));

async function storeUrl(kind: PoolerKind): Promise<string> {
  const store = await postgresStore();
  if ('missing' in store) throw new Error(store.missing);
  await store.db.close();
  const url = poolers.get(kind)?.urlOf(store.url);
  if (url === undefined) throw new Error(missing ?? '');
  return url;
}

describe.skipIf(missing !== null)(`behind a pooler ${missing ?? ''}`, () => {
  describeDriver(
    'PgBouncer in transaction mode, recognized',
    async () => openPostgres({ url: await storeUrl('transaction') }),
    { canPrepare: false },
  );
  describeDriver('PgBouncer in session mode, with DATABASE_POOLER=none', async () =>
    openPostgres({ url: await storeUrl('session'), pooler: 'none' }),
  );
  if (POOLER_KINDS.includes('pgpool')) {
    describeDriver('pgpool-II', async () => openPostgres({ url: await storeUrl('pgpool') }));
  }

  test('rejects DATABASE_POOLER=none in transaction mode, and names the setting', async () => {
    const url = await storeUrl('transaction');
    await expect(openStore({ databaseUrl: url, pooler: 'none' })).rejects.toThrow(
      /DATABASE_POOLER is none, but a connection pooler in transaction mode .* set DATABASE_POOLER/,
    );
    await (await openStore({ databaseUrl: url })).close();
    await (await openStore({ databaseUrl: await storeUrl('session'), pooler: 'none' })).close();
  });

  test.each(['auto', 'transaction'] as const)(
    'applies the same settings to every kind of call in transaction mode, with DATABASE_POOLER=%s',
    async (pooler) => {
      const url = await storeUrl('transaction');
      const db = openPostgres({ url, pooler });
      onTestFinished(() => db.close());
      const name = new URL(url).pathname.slice(1);
      await db.execute(`alter database ${name} set timezone = 'Asia/Tokyo';
        alter database ${name} set datestyle = 'German'; alter database ${name} set lock_timeout = 7`);
      const settings = async (on: Queryable) => {
        // Returns one row: the settings in effect.
        const [row] = await on.query(
          `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style,
                  current_setting('statement_timeout') as statements,
                  current_setting('lock_timeout') as locks`,
        );
        return row;
      };
      const common = { zone: 'UTC', style: 'ISO, YMD', statements: '1min' };
      for (let round = 0; round < 5; round += 1) {
        expect(await settings(db)).toEqual({ ...common, locks: '4s' });
        expect(await db.transaction(settings)).toEqual({ ...common, locks: '0' });
        expect(await db.transaction(settings, { keepsPlans: true })).toMatchObject(common);
        expect(await db.readSnapshot(settings)).toEqual({ ...common, statements: '0', locks: '0' });
      }
    },
  );

  test('leaves nothing behind on the connections that all clients share', async () => {
    const url = await storeUrl('transaction');
    const db = openPostgres({ url });
    onTestFinished(() => db.close());
    await db.transaction((tx) => tx.query('select 1 as n'), { keepsPlans: true });
    // Without the settings of a store, a connection has those of the server.
    const { Client } = (await import('pg')).default;
    const other = new Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    for (let round = 0; round < 8; round += 1) {
      const { rows } = await other.query(
        `select current_setting('bytea_output') as bytes, current_setting('random_page_cost') as cost,
                current_setting('enable_seqscan') as scans,
                (select count(*)::int4 from pg_prepared_statements) as prepared,
                (select count(*)::int4 from pg_listening_channels()) as channels`,
      );
      expect(rows).toEqual([{ bytes: 'hex', cost: '4', scans: 'on', prepared: 0, channels: 0 }]);
    }
  });
});
