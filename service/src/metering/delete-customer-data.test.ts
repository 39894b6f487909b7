import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { saveUses } from './quota-store.ts';
import { addRequests } from './request-log-store.ts';
import { addUsage } from './usage-store.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

onEachEngine((db) => {
  test("does not write a customer's buffered data after the customer was deleted", async () => {
    await db().query(
      `insert into customer (id, name, plan, created_at, deleted_at)
       values ('gone', 'A', 'free', now(), now()), ('here', 'B', 'free', now(), null)`,
    );
    const both = ['gone', 'here'].map((customerId) => ({ customerId, keyId: 'k' }));
    await addUsage(
      db(),
      both.map((customerId) => ({
        ...customerId,
        endpoint: 'e',
        status: 200,
        hourAt: NOW,
        requests: 1,
      })),
    );
    const request = { method: 'GET', path: '/', status: 200, durationMs: 1, requestId: 'r' };
    await addRequests(
      db(),
      both.map((customerId) => ({ ...customerId, ...request, at: NOW })),
    );
    const counts = { dayId: 1, dayCount: 1, perDay: 9, monthId: 1, monthCount: 1, perMonth: 9 };
    await saveUses(
      db(),
      both.map(({ customerId }) => ({ customerId, use: { ...counts, generation: 0 } })),
    );
    for (const table of ['usage_hour', 'request_log', 'quota_use']) {
      const rows = await db().query(`select customer_id from ${table}`);
      expect(rows).toEqual([{ customer_id: 'here' }]);
    }
  });
});
