import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  deliverAll,
  deliveryRows,
  engineDeps,
  publish,
  subscribe,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import { disableEndpoint } from '../../webhooks/endpoint/endpoint-states.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Queryable } from '../../storage/db.ts';
import { alertSilentFailures } from './silent-failures.ts';
import { deleteExpired } from './retention.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const DAY = 86_400_000;

onEachEngine((db) => {
  test('keeps attempts for 30 days, finished deliveries for 90 days and open deliveries forever', async () => {
    const clock = fakeClock(NOW);
    const deps = engineDeps(db(), clock);
    await addEndpoint(db(), 'ep');
    await addCompanies(db(), ['NRTH', 'VLY']);
    await subscribe(deps, 'ep', ['NRTH', 'VLY']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps);
    await db().transaction((tx) => disableEndpoint(tx, 'ep', { reason: 'owner', now: NOW }));
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    await deliverAll(deps);
    const counts = async () => [
      (await deliveryRows(db())).map(({ state }) => state).toSorted(),
      await countAttempts(db()),
    ];
    await clock.advance(30 * DAY);
    expect(await deleteExpired(deps)).toBe(0);
    await clock.advance(1000);
    expect(await deleteExpired(deps)).toBe(1);
    expect(await counts()).toEqual([['delivered', 'held'], 0]);
    await clock.advance(60 * DAY);
    expect(await deleteExpired(deps)).toBe(1);
    expect(await deleteExpired(deps)).toBe(0);
    expect(await counts()).toEqual([['held'], 0]);
  });

  test('keeps attempts and deliveries for the configured time', async () => {
    const clock = fakeClock(NOW);
    const deps = engineDeps(db(), clock);
    await addEndpoint(db(), 'ep');
    await addCompanies(db(), ['NRTH']);
    await subscribe(deps, 'ep', ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps);
    const keep = { attempts: 7, deliveries: 10 };
    await clock.advance(7 * DAY);
    expect(await deleteExpired(deps, keep)).toBe(0);
    await clock.advance(1000);
    expect(await deleteExpired(deps, keep)).toBe(1);
    expect(await countAttempts(db())).toBe(0);
    await clock.advance(3 * DAY);
    expect(await deleteExpired(deps, keep)).toBe(1);
    expect(await deliveryRows(db())).toEqual([]);
  });

  test('records one alert after one day and one after three days of failure, even without new attempts', async () => {
    const clock = fakeClock(NOW);
    const deps = engineDeps(db(), clock);
    await addEndpoint(db(), 'ep');
    await addCompanies(db(), ['NRTH']);
    await subscribe(deps, 'ep', ['NRTH']);
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(500));
    await clock.advance(DAY - 1);
    expect(await alertSilentFailures(deps)).toEqual([]);
    await clock.advance(1);
    expect(await alertSilentFailures(deps)).toMatchObject([{ kind: 'failing_24h' }]);
    expect(await alertSilentFailures(deps)).toEqual([]);
    await clock.advance(2 * DAY);
    expect(await alertSilentFailures(deps)).toMatchObject([{ kind: 'failing_72h' }]);
    expect(await alertSilentFailures(deps)).toEqual([]);
    expect(await db().query(`select kind from webhook_alert order by id`)).toEqual([
      { kind: 'failing_24h' },
      { kind: 'failing_72h' },
    ]);
  });

  test('records no failure alert if there was a later 2xx response, regardless of the order in which the results were recorded', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(500));
    // Another process recorded a later response before this failure was recorded.
    await db().query(
      `update webhook_subscription set answered_at = to_timestamp($1 / 1000.0) where symbol = 'VLY'`,
      [NOW + 1],
    );
    await clock.advance(DAY);
    expect(await alertSilentFailures(deps)).toEqual([]);
  });
});

async function countAttempts(db: Queryable): Promise<number> {
  return (await db.query(`select 1 from delivery_attempt`)).length;
}
