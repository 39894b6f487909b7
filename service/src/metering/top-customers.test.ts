import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { addUsage, loadTopCustomers } from './usage-store.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 20, 10);

onEachEngine((db) => {
  test('lists the customers with the most requests first, counting only the requested hours', async () => {
    const count = { keyId: 'key_a', endpoint: 'earnings', status: 200, hourAt: START };
    await addUsage(db(), [
      { ...count, customerId: 'cus_a', requests: 3 },
      { ...count, customerId: 'cus_a', status: 429, requests: 2 },
      { ...count, customerId: 'cus_b', requests: 9 },
      { ...count, customerId: 'cus_c', requests: 1 },
      { ...count, customerId: 'cus_c', hourAt: START + HOUR_MS, requests: 100 },
    ]);
    const span = { from: START, to: START + HOUR_MS };
    expect(await loadTopCustomers(db(), { ...span, limit: 2 })).toEqual([
      { customerId: 'cus_b', name: null, requests: 9, failed: 0 },
      { customerId: 'cus_a', name: null, requests: 5, failed: 2 },
    ]);
  });
});
