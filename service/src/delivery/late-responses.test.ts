import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  respondWith,
  claimAll,
  deliveryRows,
  recordOutcomes,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../test/support/webhook-world.ts';
import { expireLeases } from './record/expire-leases.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');

onEachEngine((db) => {
  test('makes a delivery due again with the same id when its lease expires, and ignores a late response to the earlier attempt', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const lost = await claimAll(deps);
    await clock.advance(60_000);
    expect(await expireLeases(deps)).toBe(1);
    expect(await expireLeases(deps)).toBe(0);
    const secondClaim = await claimAll(deps);
    expect(secondClaim.map(({ body }) => body)).toEqual(lost.map(({ body }) => body));
    await recordOutcomes(deps, lost, () => respondWith(200));
    expect(await deliveryRows(db())).toMatchObject([{ state: 'in_progress', unknown_count: 1 }]);
    await recordOutcomes(deps, secondClaim, () => respondWith(500));
    expect(await deliveryRows(db())).toMatchObject([{ state: 'retrying', attempt_count: 2 }]);
    const attempts = await db().query(
      `select n, state, response_status from delivery_attempt order by n`,
    );
    expect(attempts).toEqual([
      { n: 1, state: 'finished', response_status: 200 },
      { n: 2, state: 'finished', response_status: 500 },
    ]);
  });

  test('ignores only the late response in a batch that also contains timely responses', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const lost = await claimAll(deps);
    await clock.advance(60_000);
    expect(await expireLeases(deps)).toBe(1);
    const secondClaim = await claimAll(deps);
    await db().query('update webhook_endpoint set is_slow = false');
    await publish(deps, 'VLY', { epsEstimate: '1.4' });
    await fanOutAll(deps);
    const otherClaim = await claimAll(deps);
    expect(otherClaim).toHaveLength(1);
    await recordOutcomes(deps, [...otherClaim, ...lost], () => respondWith(200));
    const states = async () =>
      (await deliveryRows(db())).map(({ symbol, state }) => ({ symbol, state }));
    expect(await states()).toEqual([
      { symbol: 'NRTH', state: 'in_progress' },
      { symbol: 'VLY', state: 'delivered' },
    ]);
    // Another process now owns the delivery, but this attempt has not been recorded as unknown, so
    // the attempt has no row.
    await db().query(`update delivery_claim set token = 'other'`);
    await recordOutcomes(deps, secondClaim, () => respondWith(200));
    expect(await states()).toEqual([
      { symbol: 'NRTH', state: 'in_progress' },
      { symbol: 'VLY', state: 'delivered' },
    ]);
    const answeredAt = `select symbol from webhook_subscription where answered_at is not null`;
    expect(await db().query(answeredAt)).toEqual([{ symbol: 'VLY' }]);
    const attempts = await db().query(
      `select d.symbol, a.n, a.state from delivery_attempt a join delivery d on d.id = a.delivery_id
        order by d.symbol, a.n`,
    );
    expect(attempts).toEqual([
      { symbol: 'NRTH', n: 1, state: 'finished' },
      { symbol: 'NRTH', n: 2, state: 'finished' },
      { symbol: 'VLY', n: 1, state: 'finished' },
    ]);
  });
});
