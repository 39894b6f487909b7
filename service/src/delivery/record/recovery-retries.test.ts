import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  respondWith,
  claimAll,
  deliverAll,
  deliveryRows,
  failWith,
  recordOutcomes,
  publish,
  fanOutAll,
  subscribedWorld,
} from '../../../test/support/webhook-world.ts';
import type { PostOutcome } from '../send/agent.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const SECOND = 1_000;

onEachEngine((db) => {
  test('keeps the retry schedule for a company whose deliveries are rejected while others succeed', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    for (let round = 0; round < 14; round += 1) {
      await publish(deps, 'VLY', { epsEstimate: `2.${10 + round}` });
      await deliverAll(deps, ({ symbol }) => respondWith(symbol === 'VLY' ? 200 : 500));
      await clock.advance(10 * SECOND);
    }
    const rejected = (await deliveryRows(db())).find(({ symbol }) => symbol === 'NRTH');
    expect(rejected?.state).toBe('retrying');
    // Attempts are made at 0, 5 and 35 s, with a tolerance of one round, and once more after the
    // endpoint has recovered.
    expect(rejected?.attempt_count).toBeLessThanOrEqual(4);
  });

  test.each<[string, PostOutcome, number]>([
    ['right away after a 500', respondWith(500), 0],
    ['a minute after a 502', respondWith(502), 60],
    ['a minute after a timeout', failWith('timeout', true), 60],
    ['after the Retry-After of a 503', respondWith(503, [['Retry-After', '3']]), 3],
    ['after the Retry-After of a 429', respondWith(429, [['retry-after', '3600']]), 3_600],
  ])('retries deliveries to a recovered endpoint %s', async (_when, first, seconds) => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => first);
    await clock.advance(SECOND);
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await recordOutcomes(deps, await claimAll(deps), () => respondWith(200));
    const retry = (await deliveryRows(db())).find(({ symbol }) => symbol === 'NRTH');
    const waitedMs = (retry?.due_at ?? 0) - NOW;
    expect(waitedMs).toBeGreaterThanOrEqual(Math.max(seconds, 1) * SECOND);
    expect(waitedMs).toBeLessThan(Math.max(seconds, 1) * SECOND + 10);
  });

  test('counts Retry-After from the response, also if the attempt started long after its claim', async () => {
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols: ['NRTH', 'VLY'] });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    const claims = await claimAll(deps);
    await clock.advance(800);
    await recordOutcomes(deps, claims, () => respondWith(503, [['Retry-After', '3']]));
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    await deliverAll(deps);
    const retry = (await deliveryRows(db())).find(({ symbol }) => symbol === 'NRTH');
    expect((retry?.due_at ?? 0) - NOW).toBeGreaterThanOrEqual(3_800);
  });

  test('retries every failed delivery once an endpoint recovers after an hour without a 2xx response', async () => {
    const symbols = ['NRTH', 'VLY'];
    const { deps, clock } = await subscribedWorld(db(), { now: NOW, symbols });
    await publish(deps, 'NRTH', { epsEstimate: '1.3' });
    await deliverAll(deps, () => respondWith(500));
    await publish(deps, 'VLY', { epsEstimate: '1.3' });
    await deliverAll(deps, ({ symbol }) => respondWith(symbol === 'VLY' ? 200 : 500));
    for (let minute = 0; minute < 61; minute += 1) {
      await clock.advance(60 * SECOND);
      await deliverAll(deps, () => respondWith(500));
    }
    await publish(deps, 'VLY', { epsEstimate: '1.4' });
    const sent = await deliverAll(deps);
    expect(sent.map(({ context }) => context.symbol)).toEqual(['VLY', 'NRTH']);
  });
});
