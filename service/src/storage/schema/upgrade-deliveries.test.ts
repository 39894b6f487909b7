import { expect, test } from 'vitest';
import { memoryStore, postgresStore } from '../../../test/support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  claimAll,
  deliverAll,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from '../../../test/support/webhook-world.ts';
import { listDeliveries } from '../../webhooks/log/delivery-log.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { expireLeases } from '../../delivery/record/expire-leases.ts';
import type { Db } from '../db.ts';
import { migrate, MIGRATIONS_FOLDER } from './migrate.ts';

/** The oldest release upgraded in these tests, which is the first with webhooks. */
const OLD_VERSION = 14;
const NOW = Date.parse('2026-11-16T15:00:00Z');
const HOUR_MS = 3_600_000;

test('embedded: keeps pending deliveries when a store from an old release is upgraded', async () => {
  await expectToGoOn(await memoryStore());
});

test('PostgreSQL: keeps pending deliveries when a store from an old release is upgraded', async ({
  skip,
}) => {
  const server = await postgresStore();
  if ('missing' in server) return skip(server.missing);
  await expectToGoOn(server.db);
});

/** Columns that later migrations add to tables of this test. The claim also reads a new table. */
const NEW_COLUMNS = [
  ['earnings_event', 'revenue_estimate_as_of', 'timestamptz'],
  ['earnings_event', 'eps_gaap', 'numeric'],
  ['earnings_event', 'eps_comparable', 'boolean'],
  ['earnings_event', 'call_at', 'timestamptz'],
  ['earnings_event', 'estimates', 'jsonb'],
  ['earnings_event', 'projection', 'jsonb'],
  ['version_clock', 'first_at', 'timestamptz'],
  ['earnings_event', 'guidance', 'jsonb'],
  ['security', 'former_ciks', 'jsonb'],
  ['security_version', 'former_ciks', 'jsonb'],
  ['webhook_endpoint', 'standard_webhooks', 'boolean not null default false'],
  ['webhook_endpoint', 'payload_format', `text not null default 'json'`],
  ['webhook_subscription', 'kind', `text default 'symbol'`],
  ['customer', 'move_state', 'text'],
] as const;

/** The engine runs on the old schema with the table of claims, which are then converted. */
const CLAIM_TABLE = `create table delivery_claim (
  token text, claimed_at timestamptz, lease_until timestamptz, size int4, done int4[] default '{}',
  delivery_ids text[], endpoint_ids text[], symbols text[], attempts int4[], changed_fields text[],
  data int4[], texts text[])`;
/** Before migration 66, the row of a delivery in flight had its claim. */
const TO_OLD_CLAIMS = `
  update delivery d
     set state = 'in_progress', claim_token = c.token, lease_until = c.lease_until,
         attempt_count = c.attempts[1], may_have_left = true, sent_data = c.texts[1],
         changed_fields = c.changed_fields[1]::text[], first_attempt_at = c.claimed_at
    from delivery_claim c where d.id = c.delivery_ids[1];
  drop table delivery_claim`;

async function expectToGoOn(db: Db): Promise<void> {
  await db.execute('drop schema public cascade; create schema public');
  await migrate(db, MIGRATIONS_FOLDER, OLD_VERSION);
  // The test writes reports in the current format. Another test covers the upgrade of reports.
  for (const [table, column, type] of NEW_COLUMNS) {
    await db.execute(`alter table ${table} add column ${column} ${type}`);
  }
  await db.execute('create table cell_gap ()');
  await db.execute(CLAIM_TABLE);
  const clock = fakeClock(NOW);
  const deps = engineDeps(db, clock);
  const symbols = ['DONE', 'RETR', 'FLYS', 'WAIT'];
  await addEndpoint(db, 'ep');
  await addCompanies(db, symbols);
  await subscribe(deps, 'ep', symbols);
  await publish(deps, 'DONE', { epsEstimate: '1.3' });
  await deliverAll(deps);
  await publish(deps, 'RETR', { epsEstimate: '1.3' });
  await deliverAll(deps, () => respondWith(500));
  await publish(deps, 'FLYS', { epsEstimate: '1.3' });
  await fanOutAll(deps);
  expect(await claimAll(deps)).toHaveLength(1);
  await publish(deps, 'WAIT', { epsEstimate: '1.3' });
  await fanOutAll(deps);
  await db.execute(TO_OLD_CLAIMS);
  const before = await everything(db);
  expect(
    before.deliveries.map(({ symbol, state }) => `${String(symbol)} ${String(state)}`),
  ).toEqual(['DONE delivered', 'FLYS in_progress', 'RETR retrying', 'WAIT pending']);

  for (const [table, column] of NEW_COLUMNS) {
    await db.execute(`alter table ${table} drop column ${column}`);
  }
  await db.execute('drop table cell_gap');
  await migrate(db);
  expect(await everything(db)).toEqual(before);
  const log = await listDeliveries(db, { customerId: null, endpointId: 'ep', limit: 10 });
  expect(log.map(({ symbol }) => symbol).toSorted()).toEqual(symbols.toSorted());

  await clock.advance(HOUR_MS);
  expect(await expireLeases(deps)).toBe(1);
  const sent = await deliverAll(deps);
  const open = before.deliveries.filter(({ state }) => state !== 'delivered');
  expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(open.map(({ id }) => id)));
  expect(sent).toHaveLength(open.length);
  const after = await everything(db);
  expect(new Set(after.deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']));
  expect(after.attempts).toEqual(expect.arrayContaining(before.attempts));
  await db.close();
}

async function everything(db: Db) {
  const deliveries = await db.query('select * from delivery order by symbol');
  for (const delivery of deliveries) {
    delete delivery['claim_token'];
    delete delivery['lease_until'];
    // An attempt in flight counted already.
    if (delivery['state'] === 'in_progress') delete delivery['attempt_count'];
  }
  return {
    deliveries,
    attempts: await db.query('select * from delivery_attempt order by delivery_id, n'),
    subscriptions: await db.query('select * from webhook_subscription order by symbol'),
  };
}
