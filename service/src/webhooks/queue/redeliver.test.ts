import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  respondWith,
  claimAll,
  deliverAll,
  failWith,
  recordOutcomes,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import { listDeliveries, loadDelivery } from '../log/delivery-log.ts';
import { disableEndpoint, enableEndpoint } from '../endpoint/endpoint-states.ts';
import { loadQueueStats } from '../stats/queue-stats.ts';
import { findTestSymbol } from '../subscription/find-test-symbol.ts';
import { createTestDelivery, recoverDeliveries, redeliver } from './redeliver.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const FIELDS = ['date', 'time', 'epsEstimate', 'revenueEstimate', 'eps', 'revenue'];
const mine = { customerId: 'cus_ep' };
const TEST = {
  endpointId: 'ep',
  templateId: 'earnings_schedule',
  eventType: 'earnings_schedule.changed',
  symbol: 'NRTH',
};

onEachEngine((db) => {
  test('redelivers a finished delivery under a new ID with current data and all fields', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    const [first] = await deliverAll(deps);
    await clock.advance(1);
    const again = await db().transaction((tx) =>
      redeliver({ tx, ...deps, now: clock.now() }, { ...mine, deliveryId: first?.id ?? '' }),
    );
    const [second] = await deliverAll(deps);
    expect(again).toEqual({ kind: 'opened', id: second?.id, isHeld: false });
    expect(second?.id).not.toBe(first?.id);
    expect(second).toMatchObject({ data: first?.data, changed_fields: FIELDS });
    const [record] = await listDeliveries(db(), { ...mine, limit: 1 });
    expect(record).toMatchObject({ id: second?.id, replayOf: first?.id, state: 'delivered' });
  });

  test.each(['connect', 'not_sent'] as const)(
    'lists all fields when a change supersedes a redelivery that ended as %s',
    async (code) => {
      const { deps, clock } = await subscribedWorld(db(), { now: NOW });
      await publish(deps, 'NRTH', { epsEstimate: '1.3' });
      const [first] = await deliverAll(deps);
      await db().transaction((tx) =>
        redeliver({ tx, ...deps, now: clock.now() }, { ...mine, deliveryId: first?.id ?? '' }),
      );
      const claims = await claimAll(deps);
      await publish(deps, 'NRTH', { epsEstimate: '1.4' });
      await fanOutAll(deps);
      await publish(deps, 'NRTH', { epsEstimate: '1.3' });
      await fanOutAll(deps);
      await recordOutcomes(deps, claims, () => failWith(code, false));
      expect(await deliverAll(deps)).toMatchObject([{ data: first?.data, changed_fields: FIELDS }]);
    },
  );

  test('rejects redelivering pending or unknown deliveries and those of another customer', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const [record] = await listDeliveries(db(), { ...mine, limit: 1 });
    const ask = (customerId: string, deliveryId = record?.id ?? '') =>
      db().transaction((tx) =>
        redeliver({ tx, ...deps, now: clock.now() }, { customerId, deliveryId }),
      );
    expect(await ask('cus_ep')).toEqual({ kind: 'not-finished' });
    expect(await ask('cus_other')).toEqual({ kind: 'not-found' });
    expect(await ask('cus_ep', 'del_none')).toEqual({ kind: 'not-found' });
    await deliverAll(deps);
    await db().query('delete from webhook_subscription');
    expect(await ask('cus_ep')).toEqual({ kind: 'not-subscribed' });
  });

  test('recovers one delivery per symbol whose latest delivery did not succeed, at 50 per second', async () => {
    const { deps, clock } = await subscribedWorld(db(), {
      now: NOW,
      symbols: ['AAA', 'BBB', 'CCC', 'DDD'],
    });
    for (const symbol of ['AAA', 'BBB', 'CCC']) await publish(deps, symbol, { epsEstimate: '1.3' });
    await deliverAll(deps, ({ symbol }) => respondWith(symbol === 'AAA' ? 200 : 500));
    await clock.advance(1000);
    const recover = (since: number) =>
      db().transaction((tx) =>
        recoverDeliveries({ tx, ...deps, now: clock.now() }, { ...mine, endpointId: 'ep', since }),
      );
    expect(await recover(NOW + 500)).toBe(0);
    expect(await recover(NOW)).toBe(2);
    expect((await deliverAll(deps)).map((body) => body.context.symbol)).toEqual(['BBB']);
    await clock.advance(20);
    const [last] = await deliverAll(deps);
    expect(last).toMatchObject({ context: { symbol: 'CCC' }, changed_fields: FIELDS });
    expect(await recover(NOW)).toBe(0);
  });

  test('recovers failed deliveries even if test deliveries or cancellations followed', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(500));
    await db().query(`update delivery set state = 'failed', finished_at = created_at`);
    await clock.advance(1);
    await db().transaction((tx) => createTestDelivery({ tx, ...deps, now: clock.now() }, TEST));
    expect(await deliverAll(deps)).toHaveLength(1);
    await clock.advance(1);
    await publish(deps, 'NRTH', { epsEstimate: '1.4' });
    await fanOutAll(deps);
    await db().query(`update delivery set state = 'cancelled' where state = 'pending'`);
    const recover = () =>
      db().transaction((tx) =>
        recoverDeliveries(
          { tx, ...deps, now: clock.now() },
          { ...mine, endpointId: 'ep', since: NOW },
        ),
      );
    await db().transaction((tx) => disableEndpoint(tx, 'ep', { reason: 'owner', now: NOW }));
    // Both calls count the held delivery, which stays held until the endpoint is enabled.
    expect([await recover(), await recover()]).toEqual([1, 1]);
    await db().transaction((tx) => enableEndpoint(tx, 'ep', clock.now()));
    expect(await deliverAll(deps)).toMatchObject([{ changed_fields: FIELDS }]);
  });

  test('attempts a test delivery once, even if the endpoint is disabled', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    expect(await findTestSymbol(db(), TEST)).toBe('NRTH');
    await db().transaction((tx) => disableEndpoint(tx, 'ep', { reason: 'owner', now: NOW }));
    const open = () =>
      db().transaction((tx) => createTestDelivery({ tx, ...deps, now: clock.now() }, TEST));
    for (let time = 0; time < 10; time += 1) {
      expect(await open()).toMatchObject({ kind: 'opened' });
      await clock.advance(1);
    }
    const sent = await deliverAll(deps, () => respondWith(500));
    expect(sent).toHaveLength(10);
    const records = await listDeliveries(db(), { ...mine, limit: 100 });
    expect(records.map(({ state, test }) => [state, test])).toEqual(
      Array.from({ length: 10 }, () => ['failed', true]),
    );
  });

  test('holds one delivery per symbol while an endpoint is disabled, and later sends it with current data', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await db().transaction((tx) => disableEndpoint(tx, 'ep', { reason: 'owner', now: NOW }));
    for (const epsEstimate of ['1.3', '1.4', '1.5']) {
      await publish(deps, 'NRTH', { epsEstimate });
      await clock.advance(1000);
      expect(await deliverAll(deps)).toEqual([]);
    }
    const records = await listDeliveries(db(), { ...mine, limit: 10 });
    expect(records).toMatchObject([{ state: 'held', nextAttemptAt: null }]);
    await db().transaction((tx) => enableEndpoint(tx, 'ep', clock.now()));
    const sent = await deliverAll(deps);
    expect(sent).toMatchObject([{ data: { epsEstimate: 1.5 }, changed_fields: ['epsEstimate'] }]);
  });

  test('filters and pages the delivery log, newest first', async () => {
    const { deps, clock } = await subscribedWorld(db(), {
      now: NOW,
      symbols: ['AAA', 'BBB', 'CCC'],
    });
    for (const symbol of ['AAA', 'BBB', 'CCC']) {
      await publish(deps, symbol, { epsEstimate: '1.3' });
      await deliverAll(deps, (claimed) => respondWith(claimed.symbol === 'BBB' ? 500 : 200));
      await clock.advance(1000);
    }
    const symbols = async (over: object) =>
      (await listDeliveries(db(), { ...mine, limit: 100, ...over })).map(({ symbol }) => symbol);
    expect(await symbols({})).toEqual(['CCC', 'BBB', 'AAA']);
    expect(await symbols({ states: ['retrying'] })).toEqual(['BBB']);
    expect(await symbols({ symbol: 'AAA', endpointId: 'ep' })).toEqual(['AAA']);
    expect(await symbols({ from: NOW + 1000 })).toEqual(['CCC', 'BBB']);
    expect(await symbols({ to: NOW + 1000 })).toEqual(['AAA']);
    expect(await symbols({ customerId: 'cus_other' })).toEqual([]);
    const [newest] = await listDeliveries(db(), { ...mine, limit: 1 });
    expect(await symbols({ before: newest?.id, limit: 1 })).toEqual(['BBB']);
    const whole = await loadDelivery(db(), { ...mine, deliveryId: newest?.id ?? '' });
    expect(whole).toMatchObject({
      symbol: 'CCC',
      attempts: [{ n: 1, state: 'finished', responseStatus: 200, remoteAddress: '203.0.113.7' }],
    });
    expect(JSON.parse(whole?.attempts[0]?.requestBody ?? '')).toMatchObject({ id: newest?.id });
    const foreign = { customerId: 'cus_other', deliveryId: newest?.id ?? '' };
    expect(await loadDelivery(db(), foreign)).toBeNull();
  });

  test('reports the number of due deliveries and their delay in the queue statistics', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await clock.advance(7_000);
    expect(await loadQueueStats(db(), clock.now())).toEqual({
      due: 1,
      oldestDueSeconds: 7,
      inFlight: 0,
      toTell: 0,
      slowEndpoints: 0,
      failingEndpoints: 0,
      disabledEndpoints: 0,
    });
  });
});
