import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadGuides } from './guides/load-guides.ts';
import { PROBLEMS } from './problems.ts';
import { type ReadServer, startReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const PAGES = [
  '/',
  '/docs',
  '/status',
  '/errors',
  '/errors/invalid-date',
  '/guides',
  '/guides/webhooks',
  '/guides/settings',
];

describe.each(PAGES)('serves the page %s', (path) => {
  test('loads nothing from other hosts on a page and includes no inline scripts', async () => {
    const reply = await server.get(path, { Accept: 'text/html' });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    const html = reply.body.toString();
    const loaded = [...html.matchAll(/<(?:link|script|img|iframe)[^>]*?(?:src|href)="([^"]+)"/g)];
    expect(loaded.length).toBeGreaterThan(0);
    for (const [, address] of loaded) expect(address).toMatch(/^\/(?!\/)/);
    for (const [, code = ''] of html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)) {
      expect(code.trim()).toBe('');
    }
    expect(html).not.toMatch(/ style="| on\w+="/);
  });

  test('sets a content security policy that blocks all other hosts', async () => {
    const { headers } = await server.get(path, { Accept: 'text/html' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*'unsafe/);
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

test('serves the API reference from this host, compressed on request', async () => {
  const plain = await server.get('/docs/reference.js');
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.body.length).toBeGreaterThan(1_000_000);
  expect(plain.body.toString()).not.toContain('sourceMappingURL=');
  const packed = await server.get('/docs/reference.js', { 'Accept-Encoding': 'br' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(packed.body.length).toBeLessThan(plain.body.length / 3);
});

test('disables all features of the API reference that contact other hosts', async () => {
  const html = (await server.get('/docs')).body.toString().replaceAll('&quot;', '"');
  expect(html).toContain('"withDefaultFonts":false');
  expect(html).toContain('"telemetry":false');
  expect(html).not.toContain('proxy');
});

test('defines every color for both light and dark mode', async () => {
  const css = (await server.get('/site.css')).body.toString();
  const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
  const names = (part: string) =>
    new Set([...part.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  expect(names(light).size).toBeGreaterThan(5);
  expect(names(dark)).toEqual(names(light));
});

test('reports the process as alive but not ready while the store is unavailable', async () => {
  let isHealthy = false;
  const testServer = await startReadServer({ isStoreHealthy: () => isHealthy });
  const ready = await testServer.get('/readyz');
  expect([ready.status, ready.json()]).toEqual([503, { status: 'not ready' }]);
  expect(ready.headers['retry-after']).toBe('5');
  expect((await testServer.get('/healthz')).status).toBe(200);
  isHealthy = true;
  expect((await testServer.get('/readyz')).status).toBe(200);
  await testServer.stop();
});

test('always reports the process as healthy, but as ready only after startup is complete', async () => {
  let ready = false;
  const testServer = await startReadServer({ isReady: () => ready });
  expect((await testServer.get('/healthz')).json()).toEqual({ status: 'ok' });
  const early = await testServer.get('/readyz');
  expect([early.status, early.json(), early.headers['retry-after']]).toEqual([
    503,
    { status: 'starting' },
    '1',
  ]);
  ready = true;
  const later = await testServer.get('/readyz');
  expect([later.status, later.json()]).toEqual([200, { status: 'ready' }]);
  expect(later.headers['cache-control']).toBe('no-store');
  await testServer.stop();
});

test('returns the freshness of each data set and the delays of filings as JSON at /status', async () => {
  const delays = {
    filings: 40,
    seen: { p50: 1.2, p95: 2.5 },
    served: { p50: 2.4, p95: 150 },
    posted: { p50: null, p95: null },
  };
  const testServer = await startReadServer({
    filings: async () => ({ last200: delays, days90: delays }),
    freshness: async () => [
      {
        dataset: 'earnings <b>',
        lastSuccessAt: Date.UTC(2026, 10, 20, 15, 29),
        lastChangeAt: null,
        targetSeconds: 900,
        state: 'fresh',
      },
    ],
  });
  const reply = await testServer.get('/status');
  expect(reply.json()).toEqual({
    status: 'ready',
    dataSource: 'synthetic',
    synthetic: true,
    timestamp: '2026-11-20T15:30:00Z',
    uptimeSeconds: 0,
    market: {
      session: 'open',
      nextSession: 'after-hours',
      nextSessionAt: '2026-11-20T21:00:00Z',
    },
    datasets: [
      {
        dataset: 'earnings <b>',
        state: 'fresh',
        lastSuccessAt: '2026-11-20T15:29:00Z',
        lastChangeAt: null,
        ageSeconds: 60,
        targetSeconds: 900,
        lateSince: null,
      },
    ],
    filings: { last200: delays, days90: delays },
    recordedAheadSeconds: null,
  });
  const page = (await testServer.get('/status', { Accept: 'text/html' })).body.toString();
  expect(page).toContain('Earnings &lt;b&gt;');
  expect(page).toContain('All data sets are up to date.');
  expect(page).toContain('After hours from');
  expect(page).toContain('2.4 s<small>95 %: 3 min</small>');
  await testServer.stop();
});

test('shows on the status page that data was recorded ahead of the clock', async () => {
  const lastSuccessAt = Date.UTC(2026, 11, 20, 15, 30);
  const facts = { dataset: 'earnings', lastChangeAt: null, targetSeconds: 900 };
  const testServer = await startReadServer({
    freshness: async () => [{ ...facts, lastSuccessAt, state: 'fresh' }],
  });
  const { recordedAheadSeconds } = (await testServer.get('/status')).json() as {
    recordedAheadSeconds: number;
  };
  expect(recordedAheadSeconds).toBe(30 * 86_400);
  const page = (await testServer.get('/status', { Accept: 'text/html' })).body.toString();
  expect(page).toContain('ahead of this clock. Newer data does not replace it.');
  await testServer.stop();
});

test('lists late data sets first on the status page, with the time since which they have been late', async () => {
  const at = (minute: number) => Date.UTC(2026, 10, 20, 15, minute);
  const common = { lastChangeAt: null, targetSeconds: 900 };
  const testServer = await startReadServer({
    freshness: async () => [
      { dataset: 'bars', ...common, lastSuccessAt: at(29), state: 'fresh' },
      { dataset: 'economic-events', ...common, lastSuccessAt: at(5), state: 'late' },
    ],
  });
  const { datasets } = (await testServer.get('/status')).json() as {
    datasets: { lateSince: unknown }[];
  };
  expect(datasets.map(({ lateSince }) => lateSince)).toEqual([null, '2026-11-20T15:20:00Z']);
  const page = (await testServer.get('/status', { Accept: 'text/html' })).body.toString();
  expect(page).toContain('1 of 2 data sets is late: Economic events.');
  expect(page).toContain('2026-11-20 15:20 UTC');
  expect(page.indexOf('>Economic events<')).toBeLessThan(page.indexOf('>Bars<'));
  await testServer.stop();
});

test('shows the status page while the store is unavailable, and mentions the outage', async () => {
  const testServer = await startReadServer({
    freshness: () => Promise.reject(new Error('the store is away')),
  });
  const reply = await testServer.get('/status');
  expect([reply.status, reply.json()]).toMatchObject([200, { status: 'not ready', datasets: [] }]);
  const page = (await testServer.get('/status', { Accept: 'text/html' })).body.toString();
  expect(page).toContain('Data store unavailable');
  expect(page).not.toContain('store is away');
  await testServer.stop();
});

test('lists every endpoint with its parameters, every error and every guide in llms.txt', async () => {
  const text = (await server.get('/llms.txt')).body.toString();
  for (const endpoint of server.world.endpoints) {
    expect(text).toContain(`http://data.example${endpoint.path}`);
    for (const parameter of endpoint.parameters) expect(text).toContain(`\n- ${parameter.name} (`);
  }
  for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`\`${code}\``);
  expect(text).toContain('X-Acme-Data-Delivery-Id, X-Acme-Data-Timestamp, X-Acme-Data-Signature');
  for (const { name } of loadGuides()) {
    expect(text).toContain(`(http://data.example/guides/${name}.md)`);
  }
});

test.each(['/nothing', '/%zz', '/errors/nothing', '/v1', '/docs/nothing'])(
  'returns a problem document for %s',
  async (path) => {
    const reply = await server.get(path);
    expect([reply.status, reply.json().code]).toEqual([404, 'not-found']);
    expect(reply.headers['content-type']).toBe('application/problem+json');
    expect(reply.headers['cache-control']).toBe('no-store');
  },
);

test('returns 304 for a page that the browser has cached', async () => {
  const { etag } = (await server.get('/openapi.json')).headers;
  const again = await server.get('/openapi.json', { 'If-None-Match': String(etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('reads the store only once for concurrent status requests', async () => {
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  const testServer = await startReadServer({
    freshness: async () => {
      reads += 1;
      await gate.promise;
      return [];
    },
  });
  const replies = Array.from({ length: 20 }, (_, at) =>
    testServer.get('/status', { Accept: at % 2 === 0 ? 'text/html' : 'application/json' }),
  );
  while (reads === 0) await new Promise((resolve) => setImmediate(resolve));
  // Once these requests have been answered, the earlier requests have arrived.
  for (let count = 0; count < 20; count += 1) await testServer.get('/healthz');
  gate.resolve();
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  expect(reads).toBe(1);
  await testServer.get('/status');
  expect(reads).toBe(2);
  await testServer.stop();
});
