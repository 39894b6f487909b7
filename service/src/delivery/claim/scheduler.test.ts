import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Db, Transaction } from '../../storage/db.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addCustomer, addEndpoint } from '../../../test/support/webhook-world.ts';
import { DueEndpointCache } from './due-endpoints.ts';
import { scheduleDue, type Slots } from './scheduler.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  describe('with a hundred endpoints', () => {
    test('gives each of a hundred endpoints a turn within four claims, with several deliveries per turn', async () => {
      await addDue(
        db(),
        Array.from({ length: 100 }, () => ({ customer: 'cus', count: 9 })),
      );
      const scheduledCounts = new Map<string, number>();
      let cursor = '';
      for (let claim = 0; claim < 4; claim += 1) {
        const result = await scheduleCounts(db(), { free: 128 }, cursor);
        expect(result.counts.size).toBe(25);
        for (const [id, count] of result.counts)
          scheduledCounts.set(id, (scheduledCounts.get(id) ?? 0) + count);
        ({ cursor } = result);
      }
      expect(scheduledCounts.size).toBe(100);
      expect(Math.min(...scheduledCounts.values())).toBeGreaterThanOrEqual(5);
    });

    test('claims every due delivery if each of a hundred endpoints has one', async () => {
      await addDue(
        db(),
        Array.from({ length: 100 }, () => ({ customer: 'cus', count: 1 })),
      );
      const { counts } = await scheduleCounts(db(), { free: 128 });
      expect(counts.size).toBe(100);
    });

    test('gives slots that the first endpoints leave free to the remaining endpoints', async () => {
      const endpoints = Array.from({ length: 100 }, (_, i) => ({
        customer: 'cus',
        count: i < 50 ? 1 : 9,
      }));
      await addDue(db(), endpoints);
      const { counts } = await scheduleCounts(db(), { free: 128 });
      expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(128);
    });
  });

  describe('with a cached scan', () => {
    test('scans for due endpoints once for four full claims', async () => {
      await addDue(
        db(),
        Array.from({ length: 100 }, () => ({ customer: 'cus', count: 9 })),
      );
      const cache = new DueEndpointCache(fakeClock(NOW));
      const store = countingStore(db());
      const endpointIds = new Set<string>();
      let cursor = '';
      for (let claim = 0; claim < 4; claim += 1) {
        const result = await scheduleCounts(store.db, { free: 128, cache }, cursor);
        for (const id of result.counts.keys()) endpointIds.add(id);
        ({ cursor } = result);
      }
      expect([endpointIds.size, store.scanCount()]).toEqual([100, 1]);
      await scheduleCounts(store.db, { free: 128, cache }, cursor);
      expect(store.scanCount()).toBe(2);
    });

    test('finds newly due deliveries in the claim after one that the cached scan could not fill', async () => {
      await addDue(db(), [{ customer: 'cus', count: 8 }]);
      const cache = new DueEndpointCache(fakeClock(NOW));
      const store = countingStore(db());
      expect((await scheduleCounts(store.db, { free: 4, cache })).counts).toEqual(
        new Map([['ep000', 4]]),
      );
      await db().query(`update delivery set endpoint_id = 'ep001' where symbol > 'S6'`);
      await addEndpoint(db(), 'ep001', { customerId: 'cus' });
      // The first endpoint has only six deliveries left, so it cannot fill the claim of eight.
      const second = await scheduleCounts(store.db, { free: 8, cache });
      expect([second.counts, store.scanCount()]).toEqual([new Map([['ep000', 6]]), 1]);
      const third = await scheduleCounts(store.db, { free: 8, cache });
      expect(third.counts).toEqual(
        new Map([
          ['ep000', 6],
          ['ep001', 2],
        ]),
      );
      expect(store.scanCount()).toBe(2);
    });

    test('runs a new scan before reporting that no delivery is due', async () => {
      await addDue(db(), [{ customer: 'cus', count: 4 }]);
      const cache = new DueEndpointCache(fakeClock(NOW));
      await scheduleCounts(db(), { free: 4, cache });
      await addEndpoint(db(), 'ep001', { customerId: 'cus' });
      await db().query(`update delivery set endpoint_id = 'ep001'`);
      expect((await scheduleCounts(db(), { free: 4, cache })).counts).toEqual(
        new Map([['ep001', 4]]),
      );
    });
  });

  test('fills all slots even when the first endpoints are at their limits', async () => {
    await addDue(
      db(),
      Array.from({ length: 4 }, (_, i) => ({ customer: `cus${i}`, count: 9 })),
    );
    // Each customer may use four of the sixteen slots, and the first three customers already use
    // four each.
    const inFlightByCustomer = new Map([0, 1, 2].map((i): [string, number] => [`cus${i}`, 4]));
    const slots: Slots = {
      total: 16,
      free: 1,
      slowInFlight: 0,
      inFlightByCustomer,
    };
    const { scheduled } = await db().transaction((tx) =>
      scheduleDue(tx, { slots, cursor: '', now: NOW }),
    );
    expect(scheduled.map(({ endpoint }) => endpoint.id)).toEqual(['ep003']);
  });

  test('limits a customer to a quarter of the slots even if the only other customer with due deliveries owns the last endpoint', async () => {
    const endpoints = Array.from({ length: 16 }, () => ({ customer: 'big', count: 9 }));
    await addDue(db(), [...endpoints, { customer: 'small', count: 1 }]);
    const { counts } = await scheduleCounts(db(), { free: 64 });
    const last = counts.get('ep016');
    counts.delete('ep016');
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(16);
    expect(last).toBe(1);
  });
});

/** Wraps the store and counts its scans for due endpoints. */
function countingStore(db: Db): { db: Db; scanCount(): number } {
  let scanCount = 0;
  const transaction: Db['transaction'] = (work, options) =>
    db.transaction((tx) => {
      const query: Transaction['query'] = (sql, params) => {
        if (sql.includes('recursive endpoint as')) scanCount += 1;
        return tx.query(sql, params);
      };
      return work(Object.assign(Object.create(tx) as Transaction, { query }));
    }, options);
  return {
    db: Object.assign(Object.create(db) as Db, { transaction }),
    scanCount: () => scanCount,
  };
}

/** Returns the number of deliveries that one claim takes from each endpoint. */
async function scheduleCounts(
  db: Db,
  { free, cache }: { free: number; cache?: DueEndpointCache },
  from = '',
): Promise<{ counts: Map<string, number>; cursor: string }> {
  const slots: Slots = { total: free, free, slowInFlight: 0, inFlightByCustomer: new Map() };
  const { scheduled, cursor } = await db.transaction((tx) =>
    scheduleDue(tx, { slots, cursor: from, now: NOW, cache }),
  );
  const counts = new Map<string, number>();
  for (const { endpoint } of scheduled) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
  return { counts, cursor };
}

/** Adds endpoints that are not slow, each with the given number of due deliveries. */
async function addDue(
  db: Db,
  endpoints: readonly { customer: string; count: number }[],
): Promise<void> {
  const rows = endpoints.map((endpoint, i) => ({
    ...endpoint,
    id: `ep${String(i).padStart(3, '0')}`,
  }));
  for (const customer of new Set(rows.map((row) => row.customer))) await addCustomer(db, customer);
  await db.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, is_slow)
     select id, customer, 'https://a.example/', now(), now(), false
       from unnest($1::text[], $2::text[]) as e(id, customer)`,
    [rows.map(({ id }) => id), rows.map(({ customer }) => customer)],
  );
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           changed_at, created_at, due_at)
     select 'del_' || id || n, customer, id, 't', 't', 'S' || n, 'pending', now(), now(),
            to_timestamp($4 / 1000.0)
       from unnest($1::text[], $2::text[], $3::int4[]) as e(id, customer, count),
            generate_series(1, count) as n`,
    [
      rows.map(({ id }) => id),
      rows.map(({ customer }) => customer),
      rows.map(({ count }) => count),
      NOW,
    ],
  );
}
