import { afterEach, expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { START_AT, startReadServer } from '../../test/support/read-server.ts';
import { openComputations } from '../app/computations.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as fields from '../endpoints/schema/fields.ts';
import type { Db, Queryable } from '../storage/db.ts';
import { noComputeLimit } from './compute-limit.ts';
import { noQuota } from './quota.ts';
import { createExplorer } from './response/explorer.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
afterEach(() => world.server.stop());

/**
 * Starts a server with an endpoint of four queries, which take a second for symbols that start with
 * `A`. Queries wait until the gate is opened.
 */
async function startWorld(db: Db) {
  let nowMs = 0;
  const clock = { now: () => START_AT, monotonicMs: () => nowMs };
  const metrics = { computations: () => undefined };
  const { queue } = openComputations({ db, clock, metrics } as unknown as Parameters<
    typeof openComputations
  >[0]);
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const endpoint: Endpoint = {
    name: 'steps-stub',
    path: '/v1/steps/{symbol}',
    summary: 'Runs some queries',
    describe: 'Runs some queries.',
    tag: 'companies',
    historicalAccess: false,
    datasets: ['profiles'],
    parameters: [
      { name: 'symbol', in: 'path', required: true, describe: 'Ticker.', kind: 'symbol' },
    ],
    response: fields.named('Steps', { symbol: fields.symbol() }),
    example: { symbol: 'B' },
    topics: () => [],
    maxAgeSeconds: () => 60,
    async handle(values, context) {
      const symbol = values.symbol('symbol');
      begun.push(symbol);
      for (let step = 0; step < 4; step += 1) {
        await context.db.query('select 1');
        nowMs += symbol.startsWith('A') ? 1_000 : 1;
      }
      return { kind: 'body', body: { symbol }, asOf: null };
    },
  };
  const gated: Queryable = { query: (...args) => gate.promise.then(() => db.query(...args)) };
  const server = await startReadServer({
    clock: fakeClock(START_AT),
    endpoints: [endpoint],
    queue,
    db: gated,
  });
  const explorer = createExplorer({
    endpoints: [endpoint],
    cache: server.cache,
    db: gated,
    dataSource: 'synthetic',
    checkQuota: noQuota,
    checkCompute: noComputeLimit,
  });
  const { good, other } = server.keys;

  return {
    server,
    begun,
    queue,
    open: gate.resolve,
    byKey: (symbol: string, key = good) => server.get(`/v1/steps/${symbol}`, { 'X-Api-Key': key }),
    byOther: (symbol: string) => server.get(`/v1/steps/${symbol}`, { 'X-Api-Key': other }),
    bySession(symbol: string) {
      const requester = { queueKey: 'cus_1' };
      const request = { name: 'steps-stub', query: `symbol=${symbol}`, customerId: 'cus_1' };
      const client = { payer: null, requester, remoteAddress: '' };
      return explorer.get(
        { ...request, ...client },
        { name: 'pro', historyMonths: null },
        START_AT,
      );
    },
  };
}

/** Symbols of heavy requests: AA, AB, and so on. */
function heavySymbols(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `A${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : 'X'}`,
  );
}

onEachEngine((db) => {
  test.each(['by key', 'by session'] as const)(
    'computes the response of a bystander before all but the running ones of a customer with 32 expensive requests in parallel, %s',
    async (how) => {
      world = await startWorld(db());
      const { begun, queue, open } = world;
      const send = how === 'by key' ? world.byKey : world.bySession;
      const attack = heavySymbols(32).map((symbol) => send(symbol));
      await expect.poll(() => queue.waiting).toBeGreaterThanOrEqual(30);
      const waiting = world.byOther('BB');
      await expect.poll(() => queue.waiting + queue.running).toBe(33);
      open();
      expect((await waiting).status).toBe(200);
      await Promise.all(attack);
      expect(begun.indexOf('BB')).toBe(db().engine === 'pglite' ? 1 : 2);
      expect(begun).toHaveLength(33);
    },
  );

  test('answers from the cache while expensive computations wait', async () => {
    world = await startWorld(db());
    const { queue, open } = world;
    const first = world.byOther('BB');
    await expect.poll(() => queue.running).toBe(1);
    const attack = heavySymbols(32).map((symbol) => world.byKey(symbol));
    await expect.poll(() => queue.waiting).toBeGreaterThan(20);
    open();
    await first;
    expect((await world.byOther('BB')).status).toBe(200);
    await Promise.all(attack);
    expect(world.begun.filter((symbol) => symbol === 'BB')).toHaveLength(1);
  });

  test('drops the computations of clients that have gone, running ones at their next query', async () => {
    world = await startWorld(db());
    const { begun, queue, open } = world;
    const leaving = new AbortController();
    const headers = { 'X-Api-Key': world.server.keys.good };
    const requests = heavySymbols(32).map((symbol) =>
      fetch(`${world.server.server.url}/v1/steps/${symbol}`, { headers, signal: leaving.signal }),
    );
    await expect.poll(() => queue.waiting).toBeGreaterThanOrEqual(30);
    leaving.abort();
    await Promise.allSettled(requests);
    await expect.poll(() => queue.waiting).toBe(0);
    open();
    await expect.poll(() => queue.running).toBe(0);
    expect(begun.length).toBeLessThanOrEqual(2);
    expect(world.server.log.entries).toEqual([]);
    expect((await world.byKey('AA')).status).toBe(200);
  });
});
