import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  deliverAll,
  engineDeps,
  publish,
  subscribe,
} from '../../test/support/webhook-world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('keeps deliveries for a suspended customer pending until the suspension ends', async () => {
    const deps = engineDeps(db(), fakeClock(NOW));
    await addEndpoint(db(), 'ep');
    await addCompanies(db(), ['NRTH']);
    await subscribe(deps, 'ep', ['NRTH']);
    expect(await deliverAll(deps)).toEqual([]);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await db().query(`update customer set suspended_at = now()`);
    expect(await deliverAll(deps)).toEqual([]);
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    expect(await deliverAll(deps)).toEqual([]);
    await db().query(`update customer set suspended_at = null`);
    expect(await deliverAll(deps)).toMatchObject([{ data: { epsEstimate: 1.4 } }]);
  });
});
