import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  claimAll,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from '../../../test/support/webhook-world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { loadQueueStats } from './queue-stats.ts';
import { loadUnhealthyEndpoints } from './unhealthy-endpoints.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('returns only zeros for an empty queue', async () => {
    expect(await loadQueueStats(db(), NOW)).toEqual({
      due: 0,
      oldestDueSeconds: 0,
      inFlight: 0,
      toTell: 0,
      slowEndpoints: 0,
      failingEndpoints: 0,
      disabledEndpoints: 0,
    });
  });

  test('finds the oldest due delivery even if more deliveries are due than are counted', async () => {
    const clock = fakeClock(NOW);
    const deps = engineDeps(db(), clock);
    await addEndpoint(db(), 'late', { isSlow: true });
    await addCompanies(db(), ['NRTH', 'VLY', 'WST']);
    await subscribe(deps, 'late', ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await clock.advance(90_000);
    await addEndpoint(db(), 'early');
    await subscribe(deps, 'early', ['VLY', 'WST']);
    for (const symbol of ['VLY', 'WST']) await publish(deps, symbol, { epsEstimate: '1.3' });
    await fanOutAll(deps);
    expect(await loadQueueStats(db(), clock.now(), 2)).toMatchObject({
      due: 2,
      oldestDueSeconds: 90,
      inFlight: 0,
      slowEndpoints: 1,
      failingEndpoints: 0,
    });
    await claimAll(deps);
    expect(await loadQueueStats(db(), clock.now())).toMatchObject({
      due: 0,
      oldestDueSeconds: 0,
      inFlight: 3,
    });
  });

  test("excludes deliveries for a suspended customer from the due and late counts, and the customer's endpoints from the failing count", async () => {
    const clock = fakeClock(NOW);
    const deps = engineDeps(db(), clock);
    for (const id of ['still', 'awake']) await addEndpoint(db(), id);
    await addCompanies(db(), ['NRTH']);
    for (const id of ['still', 'awake']) await subscribe(deps, id, ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await clock.advance(90_000);
    const asked = { now: clock.now(), limit: 10 };
    expect(await loadQueueStats(db(), clock.now())).toMatchObject({ due: 2 });
    expect(await loadUnhealthyEndpoints(db(), asked)).toHaveLength(2);
    await db().query(
      `update customer set suspended_at = now()
        where id = (select customer_id from webhook_endpoint where id = 'still')`,
    );
    const left = (await loadUnhealthyEndpoints(db(), asked)).map(({ endpointId }) => endpointId);
    const figures = await loadQueueStats(db(), clock.now());
    expect({ left, ...figures }).toMatchObject({
      left: ['awake'],
      due: 1,
      oldestDueSeconds: 90,
    });
    await db().query(`update customer set suspended_at = now()`);
    expect(await loadQueueStats(db(), clock.now())).toMatchObject({
      due: 0,
      oldestDueSeconds: 0,
    });
  });

  test('does not count deliveries that are due in the future as late', async () => {
    const deps = engineDeps(db(), fakeClock(NOW));
    await addEndpoint(db(), 'ep');
    await addCompanies(db(), ['NRTH']);
    await subscribe(deps, 'ep', ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    expect(await loadQueueStats(db(), NOW - 60_000)).toMatchObject({
      due: 0,
      oldestDueSeconds: 0,
    });
  });
});
