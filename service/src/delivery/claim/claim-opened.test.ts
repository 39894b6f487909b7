import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  deliveryRows,
  engineDeps,
  fanOutAll,
  publish,
  recordOutcomes,
  respondWith,
  subscribe,
} from '../../../test/support/webhook-world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Db } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { readChanges } from '../fan-out/read-changes.ts';
import { claimOpened, type ClaimResult } from './claim.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const SLOTS = { total: 64, free: 64, slowInFlight: 0, inFlightByCustomer: new Map() };

onEachEngine((db) => {
  test('claims a delivery in the transaction that reads its change', async () => {
    const deps = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const claim = await readAndClaim(deps);
    expect(claim).toMatchObject({ hasMore: false, deliveries: [{ symbol: 'NRTH' }] });
    expect(JSON.parse(claim?.deliveries[0]?.body ?? '')).toMatchObject({
      data: { epsEstimate: 1.3 },
      changed_fields: ['epsEstimate'],
    });
    expect(await deliveryRows(db())).toMatchObject([{ state: 'in_progress' }]);
    expect(await readAndClaim(deps)).toBeNull();
  });

  test('claims nothing and reads the change again if the transaction fails', async () => {
    const deps = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await expect(readAndClaim(deps, { fails: true })).rejects.toThrow('fails');
    expect(await deliveryRows(db())).toEqual([]);
    expect(await readAndClaim(deps)).toMatchObject({ deliveries: [{ symbol: 'NRTH' }] });
  });

  test('waits while a delivery about the company is in flight, and then sends the newest data', async () => {
    const deps = await world(db());
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const first = await readAndClaim(deps);
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    expect(await readAndClaim(deps)).toMatchObject({ deliveries: [], hasMore: true });
    await recordOutcomes(deps, first?.deliveries ?? [], () => respondWith(200));
    await publish(deps, 'NRTH', { epsEstimate: '1.5' });
    const second = await readAndClaim(deps);
    expect(second?.deliveries.map(({ data }) => JSON.parse(data) as unknown)).toMatchObject([
      { epsEstimate: 1.5 },
    ]);
  });

  test('leaves deliveries to suspended customers and disabled endpoints', async () => {
    const deps = await world(db());
    await db().query(`update customer set suspended_at = now()`);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    expect(await readAndClaim(deps)).toMatchObject({ deliveries: [], hasMore: true });
    await db().query(`update customer set suspended_at = null`);
    await db().query(`update webhook_endpoint set disabled_at = now(), disabled_reason = 'owner'`);
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    expect(await readAndClaim(deps)).toMatchObject({ deliveries: [], hasMore: true });
    const states = (await deliveryRows(db())).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['held', 'pending']);
  });

  test('takes no more deliveries than there are free slots', async () => {
    const deps = await world(db());
    await addEndpoint(db(), 'ep2');
    await subscribe(deps, 'ep2', ['NRTH']);
    await fanOutAll(deps);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const claim = await readAndClaim(deps, { slots: { ...SLOTS, free: 1 } });
    expect(claim?.deliveries).toHaveLength(1);
    expect(claim?.hasMore).toBe(true);
  });
});

async function world(db: Db): Promise<EngineDeps> {
  const deps = engineDeps(db, fakeClock(NOW));
  await addEndpoint(db, 'ep');
  await addCompanies(db, ['NRTH', 'VLY']);
  await subscribe(deps, 'ep', ['NRTH', 'VLY']);
  await fanOutAll(deps);
  return deps;
}

/** Returns null if no delivery was opened. */
async function readAndClaim(
  deps: EngineDeps,
  { slots = SLOTS, fails = false } = {},
): Promise<ClaimResult | null> {
  const claims: ClaimResult[] = [];
  await readChanges(deps, async (tx, opened) => {
    claims.push(await claimOpened(deps, tx, opened, slots));
    if (fails) throw new Error('fails');
  });
  return claims[0] ?? null;
}
