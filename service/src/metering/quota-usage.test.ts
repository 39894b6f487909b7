import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { manualClock } from '../../test/support/quota-histories.ts';
import { FREE, PRO } from '../../test/support/quota-plans.ts';
import { silentLog } from '../../test/support/logs.ts';
import { deleteCustomerData } from './delete-customer-data.ts';
import { startLocalMeter } from './local-quota-meter.ts';
import { loadQuotaUsage } from './quota-usage.ts';
import { loadUses } from './quota-store.ts';
import { startRequestLog } from './request-log.ts';
import { loadRequests } from './request-log-store.ts';

const NOW = Date.parse('2026-11-20T12:00:00-05:00');

onEachEngine((db) => {
  test('returns the quota usage that the next request would be checked against', async () => {
    const clock = manualClock(NOW);
    const meter = await startLocalMeter({ db: db(), clock, log: silentLog });
    await meter.consume({ customerId: 'c', plan: FREE, cost: 'all', now: NOW });
    const states = { customerId: 'c', plan: FREE };
    expect(await loadQuotaUsage(db(), { ...states, now: NOW })).toEqual([
      { window: 'day', limit: 100, used: 1, resetAt: Date.parse('2026-11-21T00:00:00-05:00') },
      { window: 'month', limit: 1_000, used: 1, resetAt: Date.parse('2026-12-01T00:00:00-05:00') },
    ]);
    const tomorrow = await loadQuotaUsage(db(), { ...states, now: NOW + 86_400_000 });
    expect(tomorrow.map(({ used }) => used)).toEqual([0, 1]);
    expect(await loadQuotaUsage(db(), { ...states, plan: PRO, now: NOW })).toEqual([]);
    const unknown = await loadQuotaUsage(db(), { ...states, customerId: 'nobody', now: NOW });
    expect(unknown.map(({ used }) => used)).toEqual([0, 0]);
  });

  test('deletes all metering data for one customer and none for other customers', async () => {
    const clock = manualClock(NOW);
    const meter = await startLocalMeter({ db: db(), clock, log: silentLog });
    const log = startRequestLog({ db: db(), clock, log: silentLog });
    for (const customerId of ['gone', 'here']) {
      await meter.consume({ customerId, plan: FREE, cost: 'all', now: NOW });
      log.record({
        customerId,
        at: NOW,
        keyId: 'k',
        method: 'GET',
        path: '/',
        status: 200,
        durationMs: 1,
        requestId: customerId,
      });
    }
    await log.stop();
    await db().transaction((tx) => deleteCustomerData(tx, 'gone'));
    expect([...(await loadUses(db())).keys()]).toEqual(['here']);
    const { requests } = await loadRequests(db(), { customerId: null, limit: 9 });
    expect(requests.map(({ requestId }) => requestId)).toEqual(['here']);
  });
});
