import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyStore, postgresStore } from '../../../test/support/stores.ts';
import {
  answered,
  claimAll,
  deliverAll,
  deliveryRows,
  finish,
  publish,
  tellAll,
  watchedWorld,
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

/** Begins work outside of the transaction in which this is called. */
const elsewhere = AsyncLocalStorage.snapshot();

// The embedded engine has one connection, on which nothing meets.
describe('PostgreSQL', async () => {
  const server = await postgresStore();
  if ('missing' in server) {
    test('needs a server', ({ skip }) => skip(server.missing));
    return;
  }
  const { db } = server;
  beforeEach(() => emptyStore(db));
  afterAll(() => db.close());

  test('an answer is written down while somebody else holds its endpoint', async () => {
    const { deps, claims } = await underWay(db);
    const held = await holding(db, async (tx) => {
      await lockEndpoints(tx, ['ep']);
    });
    const written = db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = 1000`);
      await recordDelivered(tx, deps, claims.map(answeredNow));
    });
    const [outcome] = await Promise.allSettled([written]);
    await held.release();
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(await deliveryRows(db)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  test('a lease that runs out while its answer is being written down is left alone', async () => {
    const { deps, clock, claims } = await underWay(db);
    const written = await holding(db, async (tx) => {
      await recordDelivered(tx, deps, claims.map(answeredNow));
    });
    await clock.advance(60_000);
    let isOver = false;
    const expiring = expireLeases(deps).finally(() => (isOver = true));
    while (!isOver && !(await isSomebodyWaiting(db))) continue;
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

  test('answers wait for an end of their subscriptions, which does not wait for them', async () => {
    const { deps, claims } = await underWay(db, SYMBOLS);
    const { templateId } = template;
    const [first = '', ...others] = SYMBOLS;
    let writing: Promise<void> = Promise.resolve();
    await db.transaction(async (tx) => {
      await removeSubscriptions(tx, 'ep', templateId, [first]);
      const backwards = claims.toSorted((a, b) => (a.symbol < b.symbol ? 1 : -1));
      writing = elsewhere(() => finish(deps, backwards, () => answered(200)));
      while (!(await isSomebodyWaiting(db))) continue;
      await removeSubscriptions(tx, 'ep', templateId, others);
    });
    await writing;
    const rows = (await deliveryRows(db)).slice(-SYMBOLS.length);
    expect(rows.map(({ state }) => state)).toEqual(SYMBOLS.map(() => 'delivered'));
  });

  test('subscriptions are ended in the order in which answers take them', async () => {
    await watchedWorld(db, { now: NOW, symbols: SYMBOLS.toReversed() });
    const { templateId } = template;
    let ending: Promise<number> = Promise.resolve(0);
    const free = await db.transaction(async (tx) => {
      await tx.query(`select 1 from webhook_subscription where symbol = 'CCC' for update`);
      ending = elsewhere(() =>
        db.transaction(async (other) => {
          // As of few rows, which a store may read in the order in which they came.
          await other.query('set local enable_indexscan = off');
          await other.query('set local enable_bitmapscan = off');
          return removeSubscriptions(other, 'ep', templateId, SYMBOLS);
        }),
      );
      while (!(await isSomebodyWaiting(db))) continue;
      return tx.query<{ symbol: string }>(
        `select symbol from webhook_subscription order by symbol for update skip locked`,
      );
    });
    expect(free.map(({ symbol }) => symbol)).toEqual(SYMBOLS.slice(2));
    expect(await ending).toBe(SYMBOLS.length);
  });
});

/** Deliveries that were claimed just now, one a company, of an endpoint that answered 2xx before. */
async function underWay(db: Db, symbols: readonly string[] = ['AAA']) {
  const { deps, clock } = await watchedWorld(db, { now: NOW, symbols });
  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.3' });
  await deliverAll(deps);
  for (const symbol of symbols) await publish(deps, symbol, { epsEstimate: '1.4' });
  await tellAll(deps);
  return { deps, clock, claims: await claimAll(deps) };
}

function answeredNow(claimed: ClaimedDelivery) {
  return { delivery: claimed, outcome: answered(200), requestHeaders: [], at: NOW };
}

/** A transaction in which this was done and that is not over before it is released. */
async function holding(db: Db, work: (tx: Transaction) => Promise<void>) {
  const isDone = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const over = db.transaction(async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
  });
  await Promise.race([isDone.promise, over]);
  return {
    async release(): Promise<void> {
      mayEnd.resolve();
      await over;
    },
  };
}

/** Asked outside of any transaction: within one, the server shows who waited when it was first asked. */
async function isSomebodyWaiting(db: Db): Promise<boolean> {
  // Those of this store that wait for a lock.
  const rows = await elsewhere(() =>
    db.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    ),
  );
  return rows.length > 0;
}
