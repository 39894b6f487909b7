import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, START_AT, startReadServer } from '../../test/support/read-server.ts';
import { stubWorld } from '../../test/support/stub-endpoints.ts';

let server: ReadServer;
let withKey: Record<string, string>;
beforeAll(async () => {
  server = await startReadServer();
  withKey = { 'X-Api-Key': server.keys.good };
});
afterAll(() => server.stop());

const DAY = '/v1/calendar/stub?date=2026-11-20';

test('sends all headers with a successful response', async () => {
  const reply = await server.get(`${DAY}&apikey=${server.keys.good}`);
  expect(reply.status).toBe(200);
  expect(reply.json()).toEqual({
    date: '2026-11-20',
    names: ['Bright Harbor Foods', 'Quiet Pine Energy'],
  });
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(reply.body.length),
    etag: expect.stringMatching(/^"[\w-]{22}"$/) as string,
    'last-modified': expect.stringMatching(/GMT$/) as string,
    'x-data-as-of': '2026-11-20T15:04:05Z',
    'x-data-source': 'synthetic',
    'cache-control': 'private, max-age=60',
    vary: 'Accept, Accept-Encoding, Authorization, X-Api-Key',
    'content-location': '/v1/calendar/stub?date=2026-11-20',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': expect.stringMatching(/^req_/) as string,
  });
  expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
});

test('omits the data date header if the response has no data date', async () => {
  const reply = await server.get('/v1/profile-stub/ABC', withKey);
  expect(reply.status).toBe(200);
  expect(reply.headers).not.toHaveProperty('x-data-as-of');
});

test('names known gaps in a header, with the time of the first recording', async () => {
  const reply = await server.get('/v1/profile-stub/GAPS', withKey);
  expect(reply.headers['x-known-gaps']).toBe('consensus;before="2026-11-20T15:04:05Z", dividends');
  const complete = await server.get('/v1/profile-stub/ABC', withKey);
  expect(complete.headers).not.toHaveProperty('x-known-gaps');
});

test.each([
  ['EARLY', '2026-11-20T15:04:05Z'],
  ['EMPTY', null],
])('rejects an instant before the first data (%s) with the first instant', async (path, first) => {
  const reply = await server.get(`/v1/profile-stub/${path}`, withKey);
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({
    code: 'not-known-yet',
    parameter: 'asOf',
    earliestAsOf: first,
  });
});

test.each([
  ['today', '2026-11-20'],
  ['TODAY', '2026-11-20'],
  ['Yesterday', '2026-11-19'],
  ['tomorrow', '2026-11-21'],
])('resolves %s to the New York day %s in Content-Location', async (word, date) => {
  const reply = await server.get(`/v1/calendar/stub?date=${word}`, withKey);
  expect(reply.json().date).toBe(date);
  expect(reply.headers['content-location']).toBe(`/v1/calendar/stub?date=${date}`);
});

test('resolves today to the next day at midnight in New York, even for a cached URL', async () => {
  const testServer = await startReadServer();
  const ask = async () =>
    (
      await testServer.get('/v1/calendar/stub?date=today', { 'X-Api-Key': testServer.keys.good })
    ).json().date;
  expect(await ask()).toBe('2026-11-20');
  const midnight = Date.UTC(2026, 10, 21, 5) - START_AT;
  await testServer.clock.advance(midnight - 1);
  expect(await ask()).toBe('2026-11-20');
  await testServer.clock.advance(1);
  expect(await ask()).toBe('2026-11-21');
  await testServer.stop();
});

test.each([
  ['loud=TRUE', true],
  ['loud=1', true],
  ['loud=False', false],
  ['loud=0', false],
])('parses the boolean parameter %s', async (query, loud) => {
  const reply = await server.get(`${DAY}&${query}`, withKey);
  expect(reply.body.includes('BRIGHT')).toBe(loud);
});

test.each([
  ['brk-b', 'BRK.B'],
  ['brk%2Fb', 'BRK.B'],
  ['BRK%2fB', 'BRK.B'],
  ['%20us:abc%20', 'ABC'],
])('resolves the symbol %s in the path to %s', async (sent, symbol) => {
  const reply = await server.get(`/v1/profile-stub/${sent}`, withKey);
  expect(reply.json()).toEqual({ symbol });
  expect(reply.headers['content-location']).toBe(`/v1/profile-stub/${symbol}`);
});

test('computes equivalent queries only once', async () => {
  const before = server.world.computed();
  const first = await server.get('/v1/calendar/stub?date=2026-03-02&loud=0', withKey);
  const second = await server.get('/v1/calendar/stub?loud=false&date=2026-03-02&x=1', withKey);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect(server.world.computed() - before).toBe(1);
});

test('reports ignored parameters in sanitized form and without the API key', async () => {
  const key = server.keys.good;
  const query = `limit=5&b%0d%0aad=1&limit=6&${key}=1&apikey=${key}`;
  const reply = await server.get(`${DAY}&${query}`);
  expect(reply.status).toBe(200);
  expect(reply.headers['x-ignored-parameters']).toBe('limit, b??ad');
});

test.each([
  ['unchanged', (etag: string) => etag],
  ['as a weak tag', (etag: string) => `W/${etag}`],
  ['in a list', (etag: string) => `"other", ${etag}`],
  ['with another encoding suffix', (etag: string) => etag.replace(/"$/, '-br"')],
  ['as *', () => '*'],
])('returns 304 without a body if the client sends the ETag back %s', async (_, form) => {
  const { etag = '' } = (await server.get(DAY, withKey)).headers;
  const reply = await server.get(DAY, { ...withKey, 'If-None-Match': form(etag) });
  expect([reply.status, reply.body.length]).toEqual([304, 0]);
  expect(reply.headers).toMatchObject({ etag, 'cache-control': 'private, max-age=60' });
  expect(reply.headers).not.toHaveProperty('content-type');
});

test('returns the full body for a different ETag, and uses the same ETag for every key', async () => {
  const { etag } = (await server.get(DAY, withKey)).headers;
  const other = await server.get(DAY, {
    'X-Api-Key': server.keys.other,
    'If-None-Match': '"x"',
  });
  expect([other.status, other.headers.etag]).toEqual([200, etag]);
});

test('returns 304 for the Last-Modified it sent, until the body changes', async () => {
  const path = '/v1/calendar/stub?date=2026-06-04';
  const read = (headers: Record<string, string>) => server.get(path, { ...withKey, ...headers });
  const sent = String((await read({})).headers['last-modified']);
  const unchanged = await read({ 'If-Modified-Since': sent });
  expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  expect(unchanged.headers['last-modified']).toBe(sent);
  expect((await read({ 'If-Modified-Since': sent, 'If-None-Match': '"x"' })).status).toBe(200);
  expect((await read({ 'If-Modified-Since': 'Fri, 20 Nov 2099 15:04:05 GMT' })).status).toBe(200);
  expect((await read({ 'If-Modified-Since': 'yesterday' })).status).toBe(200);

  server.cache.invalidate(['economic:date:2026-06-04']);
  expect((await read({ 'If-Modified-Since': sent })).status).toBe(304);
  // The date of the data and the clock stay as they are: only the body changes.
  server.world.names.set('2026-06-04', ['Withdrawn Nowhere']);
  server.cache.invalidate(['economic:date:2026-06-04']);
  const changed = await read({ 'If-Modified-Since': sent });
  expect(changed.status).toBe(200);
  expect(changed.headers['last-modified']).not.toBe(sent);
});

test('compresses even the first response if it is large', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `Made Up Company ${index}`);
  server.world.names.set('2026-06-05', names);
  const path = '/v1/calendar/stub?date=2026-06-05';
  const first = await server.get(path, { ...withKey, 'Accept-Encoding': 'gzip' });
  expect(first.headers['content-encoding']).toBe('gzip');
  const cached = await server.get(path, { ...withKey, 'Accept-Encoding': 'br' });
  expect(cached.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(cached.body)).toEqual(gunzipSync(first.body));
});

test.each([
  ['br', 'br', '-br"', brotliDecompressSync],
  ['gzip, deflate', 'gzip', '-gz"', gunzipSync],
] as const)(
  'with Accept-Encoding %s, sends a small response uncompressed at first and compressed later',
  async (...row) => {
    const [acceptEncoding, encoding, suffix, unpack] = row;
    const names = Array.from({ length: 200 }, (_, index) => `Made Up Company ${index}`);
    const path = `/v1/calendar/stub?date=${encoding === 'br' ? '2026-06-01' : '2026-06-02'}`;
    server.world.names.set(path.slice(-10), names);
    const headers = { ...withKey, 'Accept-Encoding': acceptEncoding };
    const first = await server.get(path, headers);
    expect(first.headers).not.toHaveProperty('content-encoding');
    await server.readApi.idle();
    const second = await server.get(path, headers);
    expect(second.headers['content-encoding']).toBe(encoding);
    expect(second.headers.etag).toBe(String(first.headers.etag).replace(/"$/, suffix));
    expect(unpack(second.body)).toEqual(first.body);
    const again = { ...headers, 'If-None-Match': String(second.headers.etag) };
    expect((await server.get(path, again)).status).toBe(304);
  },
);

test('sends a 304 with the ETag for the requested encoding, regardless of other requests in the same second', async () => {
  const path = '/v1/calendar/stub?date=2026-06-03';
  const names = Array.from({ length: 200 }, (_, index) => `Made Up Company ${index}`);
  server.world.names.set('2026-06-03', names);
  const tags = new Map<string, string>();
  for (const encoding of ['gzip', 'br', 'identity']) {
    const headers = { ...withKey, 'Accept-Encoding': encoding };
    await server.get(path, headers);
    await server.readApi.idle();
    tags.set(encoding, String((await server.get(path, headers)).headers.etag));
  }
  expect(new Set(tags.values()).size).toBe(3);
  for (const [encoding, etag] of tags) {
    const headers = { ...withKey, 'Accept-Encoding': encoding, 'If-None-Match': etag };
    const reply = await server.get(path, headers);
    expect([encoding, reply.status, reply.headers.etag]).toEqual([encoding, 304, etag]);
  }
});

test('does not compress a body that fits into one packet', async () => {
  const headers = { ...withKey, 'Accept-Encoding': 'br' };
  await server.get('/v1/profile-stub/TINY', headers);
  await server.readApi.idle();
  const reply = await server.get('/v1/profile-stub/TINY', headers);
  expect(reply.headers).not.toHaveProperty('content-encoding');
});

test('responds to HEAD with the same headers as GET and no body', async () => {
  const get = await server.get(DAY, withKey);
  const head = await server.get(DAY, withKey, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  const same = ['etag', 'content-length', 'content-type', 'content-location'] as const;
  for (const name of same) expect(head.headers[name]).toBe(get.headers[name]);
  expect((await server.get(DAY, {}, 'HEAD')).status).toBe(401);
});

test('responds to a CORS preflight without a key', async () => {
  const reply = await server.get(DAY, { Origin: 'https://app.example' }, 'OPTIONS');
  expect([reply.status, reply.body.length]).toEqual([204, 0]);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': expect.stringContaining('X-Api-Key') as string,
    allow: 'GET, HEAD, OPTIONS',
  });
  expect((await server.get('/v1/nothing', {}, 'OPTIONS')).status).toBe(404);
});

test('counts max-age down and expires the response once it reaches zero', async () => {
  const testServer = await startReadServer();
  const ask = async () => testServer.get('/v1/status-stub', { 'X-Api-Key': testServer.keys.good });
  const first = await ask();
  expect([first.headers['cache-control'], first.json().count]).toEqual(['private, max-age=60', 1]);
  await testServer.clock.advance(59_000);
  const late = await ask();
  expect([late.headers['cache-control'], late.json().count]).toEqual(['private, max-age=1', 1]);
  await testServer.clock.advance(1_000);
  expect((await ask()).json().count).toBe(2);
  await testServer.stop();
});

test('limits max-age to the end of the day for relative dates', async () => {
  const [stub] = stubWorld().endpoints;
  if (stub === undefined) throw new Error('no stub');
  const path = '/v1/calendar/lasting';
  const lasting = { ...stub, name: 'calendar-lasting', path, maxAgeSeconds: () => 86_400 };
  const testServer = await startReadServer({ endpoints: [lasting] });
  const key = { 'X-Api-Key': testServer.keys.good };
  const keptFor = async (day: string, headers = {}) =>
    (await testServer.get(`${path}?date=${day}`, { ...key, ...headers })).headers['cache-control'];
  // Ten minutes before midnight in New York. `today` and the explicit date share one cache entry.
  await testServer.clock.advance(Date.UTC(2026, 10, 21, 4, 50) - START_AT);
  expect(await keptFor('today')).toBe('private, max-age=600');
  expect(await keptFor('2026-11-20')).toBe('private, max-age=86400');
  expect(await keptFor('TODAY')).toBe('private, max-age=600');
  expect(await keptFor('yesterday')).toBe('private, max-age=600');
  expect(await keptFor('today', { 'If-None-Match': '*' })).toBe('private, max-age=600');
  await testServer.clock.advance(600_000);
  expect(await keptFor('today')).toBe('private, max-age=86400');
  await testServer.stop();
});

test('returns the changed data once the cached response has been invalidated', async () => {
  const path = '/v1/calendar/stub?date=2026-07-01';
  server.world.names.set('2026-07-01', ['Old']);
  const before = await server.get(path, withKey);
  server.world.names.set('2026-07-01', ['New']);
  expect((await server.get(path, withKey)).json().names).toEqual(['Old']);
  server.cache.invalidate(['economic:date:2026-07-01']);
  const after = await server.get(path, {
    ...withKey,
    'If-None-Match': String(before.headers.etag),
  });
  expect([after.status, after.json().names]).toEqual([200, ['New']]);
});

test('never exposes the API key in a log line, header or body', async () => {
  const key = server.keys.good;
  server.world.fault.error = new Error('fault');
  const replies = await Promise.all([
    server.get(`/v1/calendar/stub?date=2001-01-01&apikey=${key}`),
    server.get(`/v1/calendar/stub?date=${key}&apikey=${key}`),
    server.get(`/v1/calendar/stub?date=today&${key}=${key}&apikey=${key}`),
    server.get(`/v1/profile-stub/${key}?apikey=${key}`),
    server.get(`/v1/${key}?apikey=${key}`),
    server.get(`/${key}?apikey=${key}`),
    server.get(`/errors/${key}?apikey=${key}`),
  ]);
  server.world.fault.error = null;
  const said = replies.map((reply) => JSON.stringify(reply.headers) + reply.body.toString());
  const logged = server.log.entries.map((entry) => JSON.stringify(entry));
  expect(replies.map((reply) => reply.status)).toEqual([500, 400, 200, 400, 404, 404, 404]);
  expect(logged.length).toBeGreaterThan(0);
  for (const text of [...said, ...logged]) expect(text).not.toContain(key);
});
