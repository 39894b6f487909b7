import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ReadServer,
  type Reply,
  START_AT,
  startReadServer,
} from '../../test/support/read-server.ts';
import { createFailedAuthLimiter } from '../metering/failed-auth-limiter.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { StoreUnavailableError } from '../storage/errors.ts';
import { type ProblemCode, PROBLEMS } from './problems.ts';
import type { CompletedRequest } from './request-context.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const DAY = '/v1/calendar/stub?date=2026-11-20';

function expectProblem(reply: Reply, code: ProblemCode, members: object = {}): void {
  expect(reply.json()).toMatchObject({ code, status: PROBLEMS[code].status, ...members });
  expect(reply.status).toBe(PROBLEMS[code].status);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-request-id': reply.json().instance,
  });
  expect(reply.json()).toMatchObject({
    type: `/errors/${code}`,
    title: PROBLEMS[code].title,
    detail: expect.any(String) as string,
  });
}

describe('rejected requests', () => {
  test.each([
    ['no key', DAY, 'missing-api-key'],
    ['an empty key', `${DAY}&apikey=`, 'missing-api-key'],
    ['an unknown path, even without a key', '/v1/nothing', 'not-found'],
    ['a path with a trailing slash', '/v1/calendar/stub/?date=today', 'not-found'],
    ['an empty path parameter', '/v1/profile-stub/', 'not-found'],
    ['a URL over 2 KiB', `/v1/calendar/stub?x=${'y'.repeat(2_100)}`, 'uri-too-long'],
    ['an unknown path with a long query', `/v1/nope?x=${'y'.repeat(2_100)}`, 'uri-too-long'],
  ] as const)('rejects a request with %s', async (_, path, code) => {
    expectProblem(await server.get(path), code);
  });

  test.each<[string, () => string, ProblemCode]>([
    ['malformed', () => 'not-a-key', 'invalid-api-key'],
    ['badly encoded', () => '%zz', 'invalid-api-key'],
    ['mistyped', () => flipLast(server.keys.good), 'invalid-api-key'],
    ['unknown', () => server.keys.unknown, 'invalid-api-key'],
    ['expired', () => server.keys.expired, 'invalid-api-key'],
    ['revoked', () => server.keys.revoked, 'invalid-api-key'],
    ['disabled', () => server.keys.disabled, 'api-key-disabled'],
    ['of a suspended customer', () => server.keys.suspended, 'customer-suspended'],
    ['used from another IP address', () => server.keys.otherAddress, 'ip-not-allowed'],
    ['without the read scope', () => server.keys.manageOnly, 'insufficient-scope'],
  ])('rejects an API key that is not allowed to read (%s)', async (_, key, code) => {
    const reply = await server.get(`${DAY}&apikey=${key()}`);
    expectProblem(reply, code);
    if (reply.status === 401) {
      expect(reply.headers['www-authenticate']).toBe(
        'ApiKey realm="earnings-data", in="query", name="apikey"',
      );
    }
  });

  test.each([
    ['a missing date', '/v1/calendar/stub', 'missing-parameter', { parameter: 'date' }],
    ['an impossible day', '?date=2026-02-30', 'invalid-date', { parameter: 'date' }],
    ['a year before 1900', '?date=1899-12-31', 'invalid-date', { parameter: 'date' }],
    ['a year after 2100', '?date=2101-01-01', 'invalid-date', { parameter: 'date' }],
    ['a date in another format', '?date=11/20/2026', 'invalid-date', { parameter: 'date' }],
    ['an empty date', '?date=', 'invalid-date', { parameter: 'date' }],
    ['an unknown word', '?date=constructor', 'invalid-date', { parameter: 'date' }],
    ['a date given twice', '?date=today&date=today', 'invalid-parameter', { parameter: 'date' }],
    ['an invalid boolean', '?date=today&loud=yes', 'invalid-parameter', { parameter: 'loud' }],
    ['a boolean named like an object member', '?date=today&loud=toString', 'invalid-parameter', {}],
    [
      'a value outside an enum',
      '?date=today&order=left',
      'invalid-parameter',
      { parameter: 'order' },
    ],
    ['broken encoding', '?date=%E0%A4%A', 'invalid-parameter', { parameter: 'date' }],
    ['bytes that are not UTF-8', '?date=%ff%fe', 'invalid-parameter', { parameter: 'date' }],
    ['broken encoding in a path', '/v1/profile-stub/%zz', 'invalid-parameter', {}],
    ['a blank symbol', '/v1/profile-stub/%20', 'invalid-symbol', { parameter: 'symbol' }],
    [
      'a path traversal',
      '/v1/profile-stub/..%2f..%2fetc',
      'invalid-symbol',
      { parameter: 'symbol' },
    ],
  ] as const)('rejects a request with %s', async (_, path, code, members) => {
    const url = path.startsWith('?') ? `/v1/calendar/stub${path}` : path;
    expectProblem(await server.get(url, { 'X-Api-Key': server.keys.good }), code, members);
  });

  test('lists the accepted forms in the error for an invalid date', async () => {
    const reply = await server.get(`/v1/calendar/stub?date=soon&apikey=${server.keys.good}`);
    expect(reply.json().accepted).toEqual(['YYYY-MM-DD', 'today', 'yesterday', 'tomorrow']);
  });

  test('returns up to five suggestions, and the successor of a former symbol, for an unknown symbol', async () => {
    const headers = { 'X-Api-Key': server.keys.good };
    const unknown = await server.get('/v1/profile-stub/NONE', headers);
    const suggestions = ['NINE', 'NOON', 'NOUN', 'NEON', 'NOSE'];
    expectProblem(unknown, 'unknown-symbol', { symbol: 'NONE', suggestions });
    const renamed = await server.get('/v1/profile-stub/gone', headers);
    expectProblem(renamed, 'unknown-symbol', { symbol: 'GONE', successorSymbol: 'HERE' });
  });

  test('rejects two different keys, and two keys in the query even if they are the same', async () => {
    const { good, other } = server.keys;
    const members = { parameter: 'apikey' };
    const inTwoPlaces = await server.get(`${DAY}&apikey=${good}`, { 'X-Api-Key': other });
    expectProblem(inTwoPlaces, 'invalid-parameter', members);
    const inHeaders = { 'X-Api-Key': good, Authorization: `Bearer ${other}` };
    expectProblem(await server.get(DAY, inHeaders), 'invalid-parameter', members);
    const twice = await server.get(`${DAY}&apikey=${good}&apikey=${good}`);
    expectProblem(twice, 'invalid-parameter', members);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'rejects the method %s before checking the key',
    async (method) => {
      const reply = await server.get(DAY, {}, method);
      expectProblem(reply, 'method-not-allowed');
      expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
    },
  );

  test.each(['text/html', 'application/json;q=0', 'image/*, text/*', '*/*;q=0'])(
    'rejects an Accept header of %s, which excludes JSON',
    async (accept) => {
      const reply = await server.get(`${DAY}&apikey=${server.keys.good}`, { Accept: accept });
      expectProblem(reply, 'not-acceptable');
    },
  );

  test('rejects a read request with a body', async () => {
    const reply = await server.get(`${DAY}&apikey=${server.keys.good}`, { 'Content-Length': '0' });
    expect(reply.status).toBe(200);
    const text = `GET ${DAY}&apikey=${server.keys.good} HTTP/1.1\r\nHost: a\r\n`;
    const answer = await server.raw(`${text}Content-Length: 3\r\n\r\nabc`);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*Connection: close[^]*"parameter":"body"/);
  });

  test('hides the cause of an internal error and logs it with its instance', async () => {
    server.world.fault.error = new Error('secret detail of the store');
    const reply = await server.get(`/v1/calendar/stub?date=2020-01-01&apikey=${server.keys.good}`);
    server.world.fault.error = null;
    expectProblem(reply, 'internal-error');
    expect(reply.body.toString()).not.toContain('secret');
    const line = server.log.entries.find(
      (entry) => entry.fields.requestId === reply.json().instance,
    );
    expect(line).toMatchObject({ level: 'error', fields: { endpoint: 'calendar-stub' } });
  });
});

test("checks a request's path, method, key and parameters, in this order", async () => {
  expectProblem(await server.get('/v1/nothing', {}, 'POST'), 'not-found');
  expectProblem(await server.get('/v1/calendar/stub?date=bad', {}, 'POST'), 'method-not-allowed');
  expectProblem(await server.get('/v1/calendar/stub?date=bad'), 'missing-api-key');
  expectProblem(await server.get('/v1/calendar/stub?date=bad&apikey=x'), 'invalid-api-key');
});

test.each([
  ['the query', (key: string) => server.get(`${DAY}&apikey=${key}`)],
  [
    'the query, first',
    (key: string) => server.get(`/v1/calendar/stub?apikey=${key}&date=2026-11-20`),
  ],
  ['the query, its name encoded', (key: string) => server.get(`${DAY}&%61pikey=${key}`)],
  ['the header X-Api-Key', (key: string) => server.get(DAY, { 'X-Api-Key': key })],
  ['a bearer token', (key: string) => server.get(DAY, { Authorization: `bearer ${key}` })],
  [
    'two places, the same',
    (key: string) => server.get(`${DAY}&apikey=${key}`, { 'X-Api-Key': key }),
  ],
])('accepts an API key from %s', async (_, ask) => {
  expect((await ask(server.keys.good)).status).toBe(200);
});

test('sends the quota headers with every response, including rejections', async () => {
  const visits: unknown[] = [];
  const refunds: unknown[] = [];
  const guarded = await startReadServer({
    checkQuota: (visit) => {
      visits.push([visit.endpoint.name, visit.cost]);
      if (visit.endpoint.name === 'status-stub') {
        const problem = { code: 'rate-limited', detail: 'Slow down.' } as const;
        return { kind: 'refused', refusal: { ...problem, headers: ['Retry-After', '7'] } };
      }
      return { kind: 'admitted', headers: ['X-Left', '3'], refund: () => refunds.push(1) };
    },
  });
  const headers = { 'X-Api-Key': guarded.keys.good };
  const first = await guarded.get(DAY, headers);
  expect(first.headers['x-left']).toBe('3');
  await guarded.get(DAY, { ...headers, 'If-None-Match': String(first.headers.etag) });
  const unknown = await guarded.get('/v1/profile-stub/NONE', headers);
  expect([unknown.status, unknown.headers['x-left']]).toEqual([404, '3']);
  const refused = await guarded.get('/v1/status-stub', headers);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
  const invalid = await guarded.get('/v1/calendar/stub?date=soon', headers);
  expect([invalid.status, invalid.headers['x-left']]).toEqual([400, '3']);
  expect(visits).toEqual([
    ['calendar-stub', 'all'],
    ['calendar-stub', 'minute'],
    ['profile-stub', 'all'],
    ['status-stub', 'all'],
    ['calendar-stub', 'minute'],
  ]);
  expect(refunds).toEqual([]);
  guarded.world.fault.error = new Error('broken');
  const broken = await guarded.get('/v1/calendar/stub?date=2020-01-01', headers);
  expect([broken.status, broken.headers['x-left'], refunds.length]).toEqual([500, '3', 1]);
  await guarded.stop();
});

test('returns 503 with Retry-After while the store is unavailable', async () => {
  const down = await startReadServer();
  down.world.fault.error = new StoreUnavailableError('connection refused');
  const reply = await down.get(DAY, { 'X-Api-Key': down.keys.good });
  expectProblem(reply, 'data-unavailable');
  expect(reply.headers['retry-after']).toBe('5');
  await down.stop();
});

function flipLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
}

test('reports every authenticated request without any API key that the request contains', async () => {
  const completed: CompletedRequest[] = [];
  const testServer = await startReadServer({
    onRequestCompleted: (request) => completed.push(request),
  });
  const { good, unknown } = testServer.keys;
  const withKey = { 'X-Api-Key': good };
  await testServer.get(`${DAY}&apikey=${good}`);
  await testServer.get(`/v1/calendar/stub?date=${good}`, withKey);
  await testServer.get(`/v1/profile-stub/NONE?%61pikey=${good}`);
  await testServer.get(`/v1/rows-stub?cursor=${good}`, withKey);
  await testServer.get(DAY, { 'X-Api-Key': unknown });
  await testServer.get('/v1/nothing', withKey);
  expect(completed.map(({ endpoint, path, status }) => [endpoint, path, status])).toEqual([
    ['calendar-stub', DAY, 200],
    ['calendar-stub', '/v1/calendar/stub?date=eds_…', 400],
    ['profile-stub', '/v1/profile-stub/NONE', 404],
    ['rows-stub', '/v1/rows-stub?cursor=eds_…', 400],
  ]);
  expect(JSON.stringify(completed)).not.toContain(good);
  await testServer.stop();
});

test('reports the URL of a rejected request as received, but without its key', async () => {
  const completed: CompletedRequest[] = [];
  const testServer = await startReadServer({
    onRequestCompleted: (request) => completed.push(request),
  });
  const { good } = testServer.keys;
  const withKey = { 'X-Api-Key': good };
  await testServer.get('/v1/calendar/stub?date=never&x=1', withKey);
  await testServer.get(`/v1/calendar/stub?apikey=${good}&date=never`);
  await testServer.get(`/v1/calendar/stub?date=never&%61pikey=${good}&x=1`);
  await testServer.get('/v1/calendar/stub?date=never&APIKEY=another-secret', withKey);
  expect(completed.map(({ path, status }) => [path, status])).toEqual([
    ['/v1/calendar/stub?date=never&x=1', 400],
    ['/v1/calendar/stub?date=never', 400],
    ['/v1/calendar/stub?date=never&x=1', 400],
    ['/v1/calendar/stub?date=never', 400],
  ]);
  await testServer.stop();
});

test('throttles an address that sends invalid keys, but still accepts valid keys from it', async () => {
  const clock = fakeClock(START_AT);
  const testServer = await startReadServer({
    failedAuthLimiter: createFailedAuthLimiter({ clock, burst: 3, perMinute: 6 }),
  });
  for (const key of ['x', testServer.keys.unknown, testServer.keys.expired]) {
    expectProblem(await testServer.get(DAY, { 'X-Api-Key': key }), 'invalid-api-key');
  }
  const refused = await testServer.get(DAY, { 'X-Api-Key': testServer.keys.unknown });
  expectProblem(refused, 'rate-limited', {
    violatedPolicies: ['wrong-keys'],
    limit: 3,
    resetAt: '2026-11-20T15:30:10Z',
    retryable: true,
  });
  expect(refused.headers['retry-after']).toBe('10');
  expectProblem(await testServer.get(DAY), 'missing-api-key');
  expect((await testServer.get(DAY, { 'X-Api-Key': testServer.keys.good })).status).toBe(200);
  await clock.advance(10_000);
  expectProblem(
    await testServer.get(DAY, { 'X-Api-Key': testServer.keys.unknown }),
    'invalid-api-key',
  );
  await testServer.stop();
});

test('limits concurrent computations per customer without charging for the excess request or affecting other customers', async () => {
  const taken: string[] = [];
  const testServer = await startReadServer({
    checkQuota: ({ key }) => {
      taken.push(key.customerId);
      return { kind: 'admitted', headers: [], refund: () => undefined };
    },
  });
  const { good, other } = testServer.keys;
  const ask = (day: number, key = good) => {
    const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
    return testServer.get(`/v1/calendar/stub?date=${date}`, { 'X-Api-Key': key });
  };
  expect((await ask(99)).status).toBe(200);
  const gate = Promise.withResolvers<void>();
  testServer.world.gate.wait = gate.promise;
  const running = Array.from({ length: 32 }, (_, index) => ask(index + 1));
  while (testServer.world.computed() < 33) await new Promise((resolve) => setImmediate(resolve));
  taken.length = 0;
  const refused = await ask(33);
  expectProblem(refused, 'temporary-reduced-capacity');
  expect([refused.headers['retry-after'], taken]).toEqual(['1', []]);
  // The limit applies neither to cached responses, nor to responses already being computed, nor to
  // other customers.
  expect((await ask(99)).status).toBe(200);
  const free = [ask(1), ask(34, other)];
  while (testServer.world.computed() < 34) await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  const replies = await Promise.all([...running, ...free]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  testServer.world.fault.error = new Error('broken');
  for (let day = 40; day < 80; day += 1) expectProblem(await ask(day), 'internal-error');
  await testServer.stop();
});

test('rejects a key in the URL, in any spelling and beside one in a header, if keys in URLs are not allowed', async () => {
  const strict = await startReadServer({ allowsKeysInUrls: false });
  try {
    const { good } = strict.keys;
    for (const parameter of [`apikey=${good}`, `%61pikey=${good}`, `apikey=${good}&apikey=`]) {
      for (const headers of [{}, { 'X-Api-Key': good }]) {
        const reply = await strict.get(`${DAY}&${parameter}`, headers);
        expectProblem(reply, 'invalid-parameter', { parameter: 'apikey' });
        expect(JSON.stringify(reply.json())).not.toContain(good);
      }
    }
    expect((await strict.get(DAY, { 'X-Api-Key': good })).status).toBe(200);
  } finally {
    await strict.stop();
  }
});
