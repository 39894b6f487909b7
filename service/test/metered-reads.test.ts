import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../src/accounts/keys/create-key.ts';
import { revokeKey } from '../src/accounts/keys/change-key.ts';
import { suspendCustomer } from '../src/accounts/customers/customers.ts';
import { type ReadApiAccess, openReadApiAccess } from '../src/app/read-api.ts';
import { openApiFile } from '../src/http/openapi/openapi-files.ts';
import { memoryLog } from './support/logs.ts';
import { seededRandom } from '../src/platform/random.ts';
import type { Db } from '../src/storage/db.ts';
import { accountWorld, type AccountWorld, addCustomer, TESTER } from './support/account-world.ts';
import { memoryStore, postgresStore } from './support/stores.ts';
import { type ReadServer, type Reply, startReadServer } from './support/read-server.ts';

// Tests the cost of a request, and the response when a window is full, on a running server with
// each kind of meter.

describe('metering in one process', () => {
  counts(async () => ({ db: await memoryStore(), isShared: false }));
});

describe('metering on a shared store', async () => {
  const opened = await postgresStore();
  if ('missing' in opened)
    test('skips the shared-store tests if no PostgreSQL server is available', ({ skip }) =>
      skip(opened.missing));
  else counts(async () => ({ db: opened.db, isShared: true }));
});

const DAY = '/v1/calendar/stub?date=2026-11-20';

function counts(open: () => Promise<{ db: Db; isShared: boolean }>): void {
  let store: { db: Db; isShared: boolean } | undefined;
  let world: AccountWorld;
  let door: ReadApiAccess;
  let server: ReadServer;
  let made = 0;
  /** Each test uses a separate customer on Free. */
  let customerId: string;
  let key: string;
  let keyId: string;

  beforeEach(async () => {
    store ??= await open();
    // All tests share a store, so each test needs different ids.
    world = { ...accountWorld(store.db), random: seededRandom((made += 1)) };
    const { clock } = world;
    const log = memoryLog();
    door = await openReadApiAccess({ ...store, clock, log, isMinuteByClock: true });
    server = await startReadServer({ ...door, keyRing: door.keys, clock });
    customerId = await addCustomer(world, `Customer ${made}`);
    ({ key, keyId } = await freshKey());
  });
  afterEach(async () => {
    await server.stop();
    await door.stop();
  });

  async function freshKey(terms: object = {}): Promise<{ key: string; keyId: string }> {
    const created = await createKey(world, { customerId, kind: 'test', ...terms }, TESTER);
    if (created.kind !== 'created') throw new Error(created.kind);
    await door.keys.refresh();
    return { key: created.key, keyId: created.record.id };
  }

  function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    return server.get(path, { 'X-Api-Key': key, ...headers }, method);
  }

  /**
   * Returns the request's cost in minute, day and month, by comparing requests before and after it.
   */
  async function costOf(request: () => Promise<unknown>): Promise<number[]> {
    const before = remaining(await ask(DAY));
    await request();
    const after = remaining(await ask(DAY));
    return before.map((left, index) => left - (after[index] ?? 0) - 1);
  }

  test('reports the remaining quota correctly after refunding a request that failed with an internal error', async () => {
    const before = remaining(await ask(DAY));
    server.world.fault.error = new Error('ours');
    for (const path of ['?date=2026-11-18', '?date=2026-11-17&color=red']) {
      const reply = await ask(`/v1/calendar/stub${path}`);
      expect(reply.status).toBe(500);
      expect(remaining(reply).slice(1)).toEqual(before.slice(1));
      expect(reply.headers['x-ignored-parameters']).toBe(
        path.endsWith('red') ? 'color' : undefined,
      );
    }
    server.world.fault.error = null;
    expect(remaining(await ask(DAY))).toEqual(
      before.map((left, index) => left - (index === 0 ? 3 : 1)),
    );
  });

  describe('the cost of a request', () => {
    test.each<[string, number, [number, number, number], () => Promise<Reply>]>([
      ['data', 200, [1, 1, 1], () => ask(DAY)],
      ['newly computed data', 200, [1, 1, 1], () => ask('/v1/calendar/stub?date=2026-11-19')],
      ['HEAD', 200, [1, 1, 1], () => ask(DAY, {}, 'HEAD')],
      ['an unknown symbol', 404, [1, 1, 1], () => ask('/v1/profile-stub/NONE')],
      [
        'what is held already',
        304,
        [1, 0, 0],
        async () => {
          const { headers } = await server.get(DAY, { 'X-Api-Key': key });
          const reply = await ask(DAY, { 'If-None-Match': String(headers.etag) });
          return reply;
        },
      ],
      ['a bad parameter', 400, [1, 0, 0], () => ask('/v1/calendar/stub?date=soon')],
      ['a body', 400, [1, 0, 0], () => ask(DAY, { 'Transfer-Encoding': 'chunked' })],
      ['no format that fits', 406, [1, 0, 0], () => ask(DAY, { Accept: 'image/png' })],
      [
        'a day before the history of the plan',
        403,
        [1, 0, 0],
        () => ask('/v1/calendar/stub?date=2020-01-02'),
      ],
      [
        'an error of ours',
        500,
        [1, 0, 0],
        async () => {
          server.world.fault.error = new Error('ours');
          const reply = await ask('/v1/calendar/stub?date=2026-11-18');
          server.world.fault.error = null;
          return reply;
        },
      ],
      ['no key', 401, [0, 0, 0], () => server.get(DAY)],
      ['a wrong key', 401, [0, 0, 0], () => server.get(DAY, { 'X-Api-Key': 'eds_test_nope' })],
      ['no such path', 404, [0, 0, 0], () => ask('/v1/nothing')],
      ['another method', 405, [0, 0, 0], () => ask(DAY, {}, 'POST')],
      ['a preflight', 204, [0, 0, 0], () => ask(DAY, {}, 'OPTIONS')],
      ['health', 200, [0, 0, 0], () => server.get('/healthz')],
      ['the description', 200, [0, 0, 0], () => server.get('/openapi.json')],
    ])('responds to %s with status %i and charges %j', async (name, status, cost, request) => {
      let reply: Reply | undefined;
      const extra = name === 'what is held already' ? [1, 1, 1] : [0, 0, 0];
      const taken = await costOf(async () => {
        reply = await request();
      });
      expect(reply?.status).toBe(status);
      expect(taken.map((count, index) => count - (extra[index] ?? 0))).toEqual(cost);
      if (cost[0] === 1) expectLimitHeaders(reply);
      else expect(reply?.headers['ratelimit']).toBeUndefined();
    });

    test('shares the quota between two keys for one customer, and charges nothing for a rejected key', async () => {
      const other = await freshKey();
      const elsewhere = await freshKey({ allowedCidrs: ['203.0.113.0/24'] });
      expect(await costOf(() => server.get(DAY, { 'X-Api-Key': other.key }))).toEqual([1, 1, 1]);
      const cost = await costOf(async () => {
        const reply = await server.get(DAY, { 'X-Api-Key': elsewhere.key });
        expect([reply.status, reply.json().code]).toEqual([403, 'ip-not-allowed']);
      });
      expect(cost).toEqual([0, 0, 0]);
    });
  });

  test('sends the rate limit headers in the documented form', async () => {
    const { headers } = await ask(DAY);
    expect(headers['ratelimit-policy']).toBe('"minute";q=60;w=60, "day";q=100, "month";q=1000');
    expect(headers['ratelimit']).toMatch(
      /^"minute";r=59;t=60, "day";r=99;t=\d+, "month";r=999;t=\d+$/,
    );
    expect(headers['x-ratelimit-limit']).toBe('60');
    expect(headers['x-ratelimit-remaining']).toBe('59');
    expect(headers['x-ratelimit-reset']).toBe(String(Math.ceil(world.clock.now() / 1_000) + 60));
  });

  test('rejects the sixty-first request in a minute with Retry-After and without charging it', async () => {
    for (let count = 0; count < 60; count += 1) expect((await ask(DAY)).status).toBe(200);
    const refused = await ask(DAY);
    expect(refused.status).toBe(429);
    expect(refused.json()).toMatchObject({
      code: 'rate-limited',
      violatedPolicies: ['minute'],
      limit: 60,
      retryable: true,
      resetAt: new Date(world.clock.now() + 60_000).toISOString().replace('.000Z', 'Z'),
    });
    expect(refused.headers['retry-after']).toBe('60');
    expectLimitHeaders(refused);
    expect(remaining(refused)).toEqual([0, 40, 940]);
    await world.clock.advance(60_000);
    expect((await ask(DAY)).status).toBe(200);
  });

  test('rejects the hundred-and-first request in a day until midnight in New York', async () => {
    let tag: unknown;
    for (let count = 0; count < 100; count += 1) {
      if (count === 50) await world.clock.advance(61_000);
      const reply = await ask(DAY);
      expect(reply.status).toBe(200);
      tag = reply.headers.etag;
    }
    const refused = await ask(DAY);
    expect(refused.json()).toMatchObject({
      code: 'quota-exceeded',
      violatedPolicies: ['day'],
      limit: 100,
      resetAt: '2026-11-21T05:00:00Z',
    });
    const seconds = Math.ceil((Date.parse('2026-11-21T05:00:00Z') - world.clock.now()) / 1_000);
    expect(refused.headers['retry-after']).toBe(String(seconds));
    // Clients whose copy is unchanged still get a response, whether it is cached or not. On the
    // next day, all requests are served again.
    const other = '/v1/calendar/stub?date=2026-11-17';
    server.cache.invalidateAll();
    const again = await ask(DAY, { 'If-None-Match': String(tag) });
    expect([again.status, again.headers['ratelimit']]).toEqual([
      304,
      expect.stringContaining('r=0'),
    ]);
    expect((await ask(other, { 'If-None-Match': String(tag) })).status).toBe(429);
    const { headers } = await ask(DAY, { 'If-None-Match': '*' });
    expect(headers['ratelimit']).toContain('"day";r=0');
    await world.clock.advance(seconds * 1_000);
    expect((await ask(DAY)).status).toBe(200);
  });

  test('rejects a conditional request before computing its response once the minute limit is reached', async () => {
    for (let count = 0; count < 60; count += 1) await ask(DAY);
    const computed = server.world.computed();
    const refused = await ask('/v1/calendar/stub?date=2026-11-16', { 'If-None-Match': '"x"' });
    expect([refused.status, refused.json().code]).toEqual([429, 'rate-limited']);
    expect(server.world.computed()).toBe(computed);
  });

  test('computes up to sixty responses per minute for conditional requests once the daily limit is reached', async () => {
    for (let count = 0; count < 100; count += 1) {
      if (count === 50) await world.clock.advance(61_000);
      await ask(DAY);
    }
    await world.clock.advance(61_000);
    const before = server.world.computed();
    let refusals = 0;
    for (let count = 0; count < 70; count += 1) {
      server.cache.invalidateAll();
      const path = '/v1/calendar/stub?date=2026-11-16';
      if ((await ask(path, { 'If-None-Match': '"x"' })).status === 429) refusals += 1;
    }
    expect([refusals, server.world.computed() - before]).toEqual([70, 60]);
  });

  test('documents every response header under its status, except general web headers', async () => {
    const { components, paths } = JSON.parse(openApiFile(server.world.endpoints)) as Description;
    const { responses } = paths['/v1/calendar/stub']?.get ?? { responses: {} };
    const { etag } = (await ask(DAY)).headers;
    const replies = [
      await ask(`${DAY}&color=red`),
      await ask(DAY, { 'If-None-Match': String(etag) }),
      await ask('/v1/calendar/stub?date=soon&color=red'),
      await server.get(DAY),
      await ask('/v1/calendar/stub?date=2020-01-02'),
      await ask('/v1/profile-stub/NONE'),
      await ask(DAY, {}, 'POST'),
      await ask(DAY, { Accept: 'image/png' }),
    ];
    while (replies.at(-1)?.status !== 429) replies.push(await ask(DAY));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.slice(0, 8)).toEqual([200, 304, 400, 401, 403, 404, 405, 406]);
    for (const { status, headers } of replies) {
      const { $ref = '', headers: own = {} } = responses[String(status)] ?? {};
      const shared = components.responses[$ref.split('/').at(-1) ?? '']?.headers ?? {};
      const told = Object.keys({ ...own, ...shared }).map((name) => name.toLowerCase());
      const sent = Object.keys(headers).filter((name) => !OF_THE_WEB.test(name));
      expect(told, String(status)).toEqual(expect.arrayContaining(sent));
    }
  });

  test('rejects the next request once a customer is suspended or a key is revoked', async () => {
    const other = await freshKey();
    await revokeKey(world, { customerId, keyId: other.keyId }, TESTER);
    await door.keys.refresh();
    expect((await server.get(DAY, { 'X-Api-Key': other.key })).json().code).toBe('invalid-api-key');
    await suspendCustomer(world, customerId, TESTER);
    await door.keys.refresh();
    expect((await ask(DAY)).json().code).toBe('customer-suspended');
    expect(keyId).toMatch(/^key_/);
  });
}

/** Headers about the connection, the body format and browser policies. */
const OF_THE_WEB =
  /^(date|connection|keep-alive|content-(type|length|encoding|security-policy)|access-control-.*|x-content-type-options|referrer-policy)$/;

interface Description {
  components: { responses: Record<string, { headers: object }> };
  paths: Record<
    string,
    { get: { responses: Record<string, { $ref?: string; headers?: object }> } }
  >;
}

function remaining({ headers }: Reply): number[] {
  return [...String(headers['ratelimit']).matchAll(/r=(\d+)/g)].map(([, left]) => Number(left));
}

function expectLimitHeaders(reply: Reply | undefined): void {
  for (const name of [
    'ratelimit-policy',
    'ratelimit',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ]) {
    expect(reply?.headers[name], name).toBeDefined();
  }
}
