import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyStore, postgresStore } from '../../../test/support/stores.ts';
import {
  respondWith,
  claimAll,
  deliverAll,
  deliveryRows,
  recordOutcomes,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { removeSubscriptions } from '../../webhooks/subscription/subscription-store.ts';
import { template } from '../../webhooks/templates/earnings-schedule.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { expireLeases } from './expire-leases.ts';
import { recordDelivered } from './record.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH'];

/** Runs work outside the current transaction. */
const outsideTransaction = AsyncLocalStorage.snapshot();

// Runs only on PostgreSQL, because the embedded engine has a single connection and transactions
// never overlap.
describe('PostgreSQL', async () => {
  const server = await postgresStore();
  if ('missing' in server) {
    test('requires a PostgreSQL server', ({ skip }) => skip(server.missing));
    return;
  }
  const { db } = server;
  beforeEach(() => emptyStore(db));
  afterAll(() => db.close());

  test('records a response while another transaction holds a lock on the endpoint', async () => {
    const { deps, claims } = await inFlight(db);
    const holder = await holdOpen(db, async (tx) => {
      await lockEndpoints(tx, ['ep']);
    });
    const written = db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = 1000`);
      await recordDelivered(tx, deps, claims.map(resultOf));
    });
    const [outcome] = await Promise.allSettled([written]);
    await holder.release();
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(await deliveryRows(db)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  test('does not expire a lease while the response to its delivery is being recorded', async () => {
    const { deps, clock, claims } = await inFlight(db);
    const written = await holdOpen(db, async (tx) => {
      await recordDelivered(tx, deps, claims.map(resultOf));
    });
    await clock.advance(60_000);
    let isDone = false;
    const expiring = expireLeases(deps).finally(() => (isDone = true));
    while (!isDone && !(await isLockAwaited(db))) continue;
    await written.release();
    expect(await expiring).toBe(0);
    expect(await expireLeases(deps)).toBe(0);
    const [, last] = await deliveryRows(db);
    expect(last).toMatchObject({ state: 'delivered', attempt_count: 1, unknown_count: 0 });
    const attempts = await db.query(
      `select state, response_status as status from delivery_attempt where delivery_id = $1`,
      [claims[0]?.id ?? ''],
    );
    expect(attempts).toEqual([{ state: 'finished', status: 200 }]);
  });

  test("records responses without a deadlock while another transaction removes the endpoint's subscriptions", async () => {
    const { deps, claims } = await inFlight(db, SYMBOLS);
    const { templateId } = template;
    const [first = '', ...otherSymbols] = SYMBOLS;
    let writing: Promise<void> = Promise.resolve();
    await db.transaction(async (tx) => {
      await removeSubscriptions(tx, 'ep', templateId, [first]);
      const backwards = claims.toSorted((a, b) => (a.symbol < b.symbol ? 1 : -1));
      writing = outsideTransaction(() => recordOutcomes(deps, backwards, () => respondWith(200)));
      while (!(await isLockAwaited(db))) continue;
      await removeSubscriptions(tx, 'ep', templateId, otherSymbols);
    });
    await writing;
    const rows = (await deliveryRows(db)).slice(-SYMBOLS.length);
    expect(rows.map(({ state }) => state)).toEqual(SYMBOLS.map(() => 'delivered'));
  });

  test('removes subscriptions in the same order in which recorded results lock them', async () => {
    await subscribedWorld(db, { now: NOW, symbols: SYMBOLS.toReversed() });
    const { templateId } = template;
    let removal: Promise<number> = Promise.resolve(0);
    const free = await db.transaction(async (tx) => {
      await tx.query(`select 1 from webhook_subscription where symbol = 'CCC' for update`);
      removal = outsideTransaction(() =>
        db.transaction(async (otherTx) => {
          // Without index scans, the store reads rows in insertion order, as it might for a small
          // table.
          await otherTx.query('set local enable_indexscan = off');
          await otherTx.query('set local enable_bitmapscan = off');
          return removeSubscriptions(otherTx, 'ep', templateId, SYMBOLS);
        }),
      );
      while (!(await isLockAwaited(db))) continue;
      return tx.query<{ symbol: string }>(
        `select symbol from webhook_subscription order by symbol for update skip locked`,
      );
    });
    expect(free.map(({ symbol }) => symbol)).toEqual(SYMBOLS.slice(2));
    expect(await removal).toBe(SYMBOLS.length);
  });
});

/** Claims deliveries, one per company, to an endpoint that has returned 2xx before. */
async function inFlight(db: Db, symbols: readonly string[] = ['AAA']) {
  const { deps, clock } = await subscribedWorld(db, { now: NOW, symbols });
  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.3' });
  await deliverAll(deps);
  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.4' });
  await fanOutAll(deps);
  return { deps, clock, claims: await claimAll(deps) };
}

function resultOf(delivery: ClaimedDelivery) {
  return { delivery, outcome: respondWith(200), requestHeaders: [], at: NOW };
}

/** Runs work in a transaction that stays open until `release` is called. */
async function holdOpen(db: Db, work: (tx: Transaction) => Promise<void>) {
  const isDone = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
  });
  await Promise.race([isDone.promise, transaction]);
  return {
    async release(): Promise<void> {
      mayEnd.resolve();
      await transaction;
    },
  };
}

/**
 * Returns true if a transaction is waiting for a lock. Queries outside any transaction, because
 * pg_stat_activity does not change within one.
 */
async function isLockAwaited(db: Db): Promise<boolean> {
  // Returns the transactions in this store that are waiting for a lock.
  const rows = await outsideTransaction(() =>
    db.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    ),
  );
  return rows.length > 0;
}
