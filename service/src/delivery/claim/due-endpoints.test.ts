import { describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { countRowsRead } from '../../../test/support/count-rows-read.ts';
import { addCustomer } from '../../../test/support/webhook-world.ts';
import type { Db } from '../../storage/db.ts';
import { DueEndpointCache, findDueEndpoints } from './due-endpoints.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test.each([
    { endpoints: 5, limit: 2 },
    { endpoints: 300, limit: 128 },
  ])(
    'returns all $endpoints endpoints with due deliveries in turn, $limit at a time',
    async (scenario) => {
      const { endpoints, limit } = scenario;
      const ids = await addPending(db(), endpoints);
      const rounds = Math.ceil(endpoints / limit);
      const visited: string[] = [];
      let cursor = '';
      for (let round = 0; round < rounds; round += 1) {
        const due = await findDueEndpoints(db(), { cursor, limit, now: NOW });
        expect(due.ids).toHaveLength(limit);
        visited.push(...due.ids);
        cursor = due.cursor;
      }
      // After the last endpoint, the search wraps around to the first.
      expect(visited).toEqual([...ids, ...ids].slice(0, rounds * limit));
    },
  );

  test('skips endpoints without due deliveries, regardless of the cursor position', async () => {
    await addPending(db(), 300);
    await db().query(
      `update delivery set due_at = to_timestamp($1 / 1000.0) where endpoint_id <> 'ep007'`,
      [NOW + 1],
    );
    for (const cursor of ['', 'ep006', 'ep007', 'ep299']) {
      const { ids } = await findDueEndpoints(db(), { cursor, limit: 64, now: NOW });
      expect(ids).toEqual(['ep007']);
    }
  });

  test('reads few delivery rows to find a few due endpoints, even if many endpoints have pending deliveries', async () => {
    await addPending(db(), 1_000);
    await db().execute('analyze');
    // The cached scan is partial, because too many endpoints have pending deliveries.
    const { scanned } = await findDueEndpoints(db(), { cursor: '', limit: 8, now: NOW });
    expect(scanned.isPartial).toBe(true);
    const read = await db().transaction((tx) =>
      countRowsRead(tx, 'delivery', async () => {
        const { ids } = await findDueEndpoints(tx, {
          cursor: 'ep100',
          limit: 8,
          now: NOW,
          cached: scanned,
        });
        expect(ids).toEqual(['101', '102', '103', '104', '105', '106', '107', '108'].map(idOf));
      }),
    );
    expect(read).toBeLessThan(20);
  });

  test('finds the only endpoint with due deliveries among a thousand, regardless of the cursor position', async () => {
    await addPending(db(), 1_000);
    await db().query(
      `update delivery set due_at = to_timestamp($1 / 1000.0) where endpoint_id <> 'ep900'`,
      [NOW + 1],
    );
    for (const cursor of ['', 'ep100', 'ep899', 'ep900']) {
      const { ids } = await findDueEndpoints(db(), { cursor, limit: 8, now: NOW });
      expect(ids).toEqual(['ep900']);
    }
  });
});

describe('DueEndpointCache', () => {
  test('reuses a scan of due endpoints for the three claims that follow', () => {
    const cache = new DueEndpointCache<string>(fakeClock(NOW));
    expect(cache.get()).toBeNull();
    cache.set('scan');
    expect([1, 2, 3, 4].map(() => cache.get())).toEqual(['scan', 'scan', 'scan', null]);
  });

  test('reuses a scan of due endpoints for at most 250 ms', async () => {
    const clock = fakeClock(NOW);
    const cache = new DueEndpointCache<string>(clock);
    cache.set('scan');
    await clock.advance(249);
    expect(cache.get()).toBe('scan');
    await clock.advance(1);
    expect(cache.get()).toBeNull();
  });

  test('starts a new round with the first scan after the cache is cleared', () => {
    const cache = new DueEndpointCache<string>(fakeClock(NOW));
    cache.set('first');
    cache.get();
    cache.clear();
    expect(cache.get()).toBeNull();
    cache.set('second');
    expect([1, 2, 3].map(() => cache.get())).toEqual(['second', 'second', 'second']);
  });
});

function idOf(number: string): string {
  return `ep${number}`;
}

/** Adds endpoints with one due delivery each. Returns the endpoint ids in order. */
async function addPending(db: Db, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `ep${String(i).padStart(3, '0')}`);
  await addCustomer(db, 'cus');
  await db.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
     select id, 'cus', 'https://a.example/', now(), now() from unnest($1::text[]) as e(id)`,
    [ids],
  );
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           changed_at, created_at, due_at)
     select 'del_' || id, 'cus', id, 't', 't', 'NRTH', 'pending', now(), now(),
            to_timestamp($2 / 1000.0) from unnest($1::text[]) as e(id)`,
    [ids, NOW],
  );
  return ids;
}
