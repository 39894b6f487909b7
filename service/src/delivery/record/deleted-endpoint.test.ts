import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  respondWith,
  claimAll,
  deliverAll,
  deliveryRows,
  recordOutcomes,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import { listAlerts } from '../../webhooks/endpoint/alerts.ts';
import { cancelPending, disableEndpoint } from '../../webhooks/endpoint/endpoint-states.ts';
import { markEndpointDeleted } from '../../webhooks/endpoint/webhook-endpoint.ts';
import type { FakeClock } from '../../../test/support/fake-clock.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { EngineDeps } from '../engine.ts';
import { expireLeases } from './expire-leases.ts';
import { releaseClaims } from './release-claims.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

interface InFlight {
  deps: EngineDeps;
  clock: FakeClock;
  claims: ClaimedDelivery[];
}

/** Ways in which an attempt can end without a 2xx response. */
const ENDS: readonly [string, (world: InFlight) => Promise<unknown>][] = [
  ['fails', ({ deps, claims }) => recordOutcomes(deps, claims, () => respondWith(500))],
  ['is released', ({ deps, claims }) => releaseClaims(deps, claims)],
  [
    'loses its lease',
    async ({ deps, clock }) => {
      await clock.advance(60_000);
      await expireLeases(deps);
    },
  ],
];

onEachEngine((db) => {
  async function inFlight(): Promise<InFlight> {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    return { deps, clock, claims: await claimAll(deps) };
  }

  async function disable(): Promise<void> {
    const disabling = { reason: 'owner', now: NOW } as const;
    await db().transaction((tx) => disableEndpoint(tx, 'ep', disabling));
  }

  async function remove({ clock }: InFlight): Promise<void> {
    await db().transaction(async (tx) => {
      await cancelPending(tx, 'ep', { now: clock.now() });
      await markEndpointDeleted(tx, 'ep', clock.now());
    });
  }

  test.each(ENDS)(
    'closes a delivery whose endpoint was deleted while it was in flight, when the delivery %s',
    async (_how, end) => {
      const world = await inFlight();
      await remove(world);
      await end(world);
      const now = world.clock.now();
      expect(await deliveryRows(db())).toMatchObject([{ state: 'cancelled', finished_at: now }]);
    },
  );

  test.each([
    ['disabled', () => disable()],
    ['deleted', (world: InFlight) => remove(world)],
  ])(
    'leaves a delivery in flight open when its endpoint is %s, and stores a 2xx response',
    async (_how, change) => {
      const world = await inFlight();
      await change(world);
      const rows = await db().query('select state, finished_at from delivery');
      expect(rows).toEqual([{ state: 'in_progress', finished_at: null }]);
      await recordOutcomes(world.deps, world.claims, () => respondWith(200));
      expect(await deliveryRows(db())).toMatchObject([{ state: 'delivered', attempt_count: 1 }]);
    },
  );

  test.each(ENDS)(
    'closes a delivery whose endpoint was disabled and then deleted, when the delivery %s',
    async (_how, end) => {
      const world = await inFlight();
      await disable();
      await remove(world);
      await end(world);
      expect(await deliveryRows(db())).toMatchObject([{ state: 'cancelled' }]);
    },
  );

  test('records no alerts for a deleted endpoint', async () => {
    const world = await inFlight();
    await remove(world);
    await recordOutcomes(world.deps, world.claims, () => respondWith(410));
    expect(await listAlerts(db(), { customerId: 'cus_ep', limit: 10 })).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([{ state: 'failed' }]);
  });

  test('cancels deliveries that an earlier version left pending for a deleted endpoint', async () => {
    const world = await inFlight();
    await remove(world);
    await db().query('delete from delivery_claim');
    await db().query(`update delivery set state = 'retrying'`);
    expect(await deliverAll(world.deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([
      { state: 'cancelled', last_error_code: 'cancelled' },
    ]);
  });
});
