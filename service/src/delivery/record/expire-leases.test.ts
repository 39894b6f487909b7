import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  claimAll,
  engineDeps,
  recordOutcomes,
  publish,
  subscribe,
  fanOutAll,
} from '../../../test/support/webhook-world.ts';
import { loadDelivery } from '../../webhooks/log/delivery-log.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Db } from '../../storage/db.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import { expireLeases } from './expire-leases.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('shows the attempt in flight in the delivery log, including its body', async () => {
    const { claim, attempts } = await inFlight(db());
    expect(await attempts()).toEqual([
      expect.objectContaining({
        n: 1,
        state: 'started',
        startedAt: NOW,
        requestBody: claim.body,
        durationMs: null,
        responseStatus: null,
        errorCode: null,
        truncated: false,
      }),
    ]);
  });

  test('keeps the body and start time of an attempt with an unknown outcome', async () => {
    const { claim, deps, clock, attempts } = await inFlight(db());
    await clock.advance(60_000);
    await expireLeases(deps);
    const lost = { n: 1, state: 'unknown', startedAt: NOW, requestBody: claim.body };
    expect(await attempts()).toEqual([expect.objectContaining({ ...lost, errorCode: 'unknown' })]);
    await recordOutcomes(deps, [claim], () => respondWith(503));
    expect(await attempts()).toEqual([
      expect.objectContaining({ ...lost, state: 'finished', responseStatus: 503 }),
    ]);
  });

  test('shows an attempt only once if an earlier version inserted its row at the start, and marks it as unknown', async () => {
    const { claim, deps, clock, attempts } = await inFlight(db());
    await db().query(
      `insert into delivery_attempt (delivery_id, n, state, claim_token, started_at, request_body)
       values ($1, 1, 'started', $2, to_timestamp($3 / 1000.0), 'as it was')`,
      [claim.id, claim.claimToken, NOW],
    );
    const expected = { n: 1, startedAt: NOW, requestBody: 'as it was' };
    expect(await attempts()).toEqual([expect.objectContaining({ ...expected, state: 'started' })]);
    await clock.advance(60_000);
    expect(await expireLeases(deps)).toBe(1);
    expect(await attempts()).toEqual([expect.objectContaining({ ...expected, state: 'unknown' })]);
  });
});

/** Sets up a store with a delivery that has just been claimed. */
async function inFlight(db: Db) {
  const clock = fakeClock(NOW);
  const deps = engineDeps(db, clock);
  await addCompanies(db, ['NRTH']);
  await addEndpoint(db, 'ep1');
  await subscribe(deps, 'ep1', ['NRTH']);
  await fanOutAll(deps);
  await publish(deps, 'NRTH', { epsEstimate: '1.3' });
  await fanOutAll(deps);
  const claim = only(await claimAll(deps));
  const ids = { customerId: 'cus_ep1', deliveryId: claim.id };
  return { claim, deps, clock, attempts: async () => (await loadDelivery(db, ids))?.attempts };
}

function only(claims: readonly ClaimedDelivery[]): ClaimedDelivery {
  const [claim] = claims;
  if (claim === undefined || claims.length > 1) throw new Error(`${claims.length} were claimed`);
  return claim;
}
