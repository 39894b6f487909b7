import { describe, expect, test } from 'vitest';
import type { Slots } from '../../deliveries/fairness.ts';
import type { Db } from '../../storage/db.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addCustomer } from '../../../test/support/webhook-world.ts';
import { pickDue } from './pick.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  describe('of a hundred endpoints', () => {
    test('all with much to send, each has its turn within four claims, several at a time', async () => {
      await addDue(
        db(),
        Array.from({ length: 100 }, () => ({ customer: 'cus', count: 9 })),
      );
      const seen = new Map<string, number>();
      let after = '';
      for (let claim = 0; claim < 4; claim += 1) {
        const result = await pick(db(), { free: 128 }, after);
        expect(result.counts.size).toBe(25);
        for (const [id, count] of result.counts) seen.set(id, (seen.get(id) ?? 0) + count);
        ({ after } = result);
      }
      expect(seen.size).toBe(100);
      expect(Math.min(...seen.values())).toBeGreaterThanOrEqual(5);
    });

    test('with one delivery each, all are taken at once', async () => {
      await addDue(
        db(),
        Array.from({ length: 100 }, () => ({ customer: 'cus', count: 1 })),
      );
      const { counts } = await pick(db(), { free: 128 });
      expect(counts.size).toBe(100);
    });

    test('the first of which have little to send, the others get what these leave', async () => {
      const given = Array.from({ length: 100 }, (_, i) => ({
        customer: 'cus',
        count: i < 50 ? 1 : 9,
      }));
      await addDue(db(), given);
      const { counts } = await pick(db(), { free: 128 });
      expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(128);
    });
  });

  test('an account whose endpoints come first gets a quarter while one of the last has due work', async () => {
    const given = Array.from({ length: 16 }, () => ({ customer: 'big', count: 9 }));
    await addDue(db(), [...given, { customer: 'small', count: 1 }]);
    const { counts } = await pick(db(), { free: 64 });
    const last = counts.get('ep016');
    counts.delete('ep016');
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(16);
    expect(last).toBe(1);
  });
});

/** How many deliveries of each endpoint a claim takes that has so many slots. */
async function pick(
  db: Db,
  { free }: { free: number },
  from = '',
): Promise<{ counts: Map<string, number>; after: string }> {
  const slots: Slots = { total: free, free, slowInFlight: 0, inFlightOf: new Map() };
  const { picked, after } = await db.transaction((tx) =>
    pickDue(tx, { slots, after: from, now: NOW }),
  );
  const counts = new Map<string, number>();
  for (const { endpoint } of picked) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
  return { counts, after };
}

/** An endpoint of the fast lane for each, with so many deliveries that are due. */
async function addDue(
  db: Db,
  endpoints: readonly { customer: string; count: number }[],
): Promise<void> {
  const rows = endpoints.map((each, i) => ({ ...each, id: `ep${String(i).padStart(3, '0')}` }));
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
