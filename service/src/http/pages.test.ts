import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReadServer } from '../../test/support/read-server.ts';
import type { ReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const PAGES = ['/', '/docs', '/status', '/errors/invalid-date'];

describe.each(PAGES)('the page %s', (path) => {
  test('loads nothing from elsewhere and runs no inline script', async () => {
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

  test('forbids the browser to load from elsewhere', async () => {
    const { headers } = await server.get(path, { Accept: 'text/html' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*'unsafe/);
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

test('the reference is served whole from here, packed when wanted', async () => {
  const plain = await server.get('/docs/reference.js');
  expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(plain.body.length).toBeGreaterThan(1_000_000);
  expect(plain.body.toString()).not.toContain('sourceMappingURL=');
  const packed = await server.get('/docs/reference.js', { 'Accept-Encoding': 'br' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(packed.body.length).toBeLessThan(plain.body.length / 3);
});

test('the reference is told to stay at home', async () => {
  const html = (await server.get('/docs')).body.toString().replaceAll('&quot;', '"');
  expect(html).toContain('"withDefaultFonts":false');
  expect(html).toContain('"telemetry":false');
  expect(html).not.toContain('proxy');
});

test('every colour of the style sheet has its dark twin', async () => {
  const css = (await server.get('/site.css')).body.toString();
  const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
  const names = (part: string) =>
    new Set([...part.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  expect(names(light).size).toBeGreaterThan(5);
  expect(names(dark)).toEqual(names(light));
});

test('health, and readiness only when ready', async () => {
  let ready = false;
  const own = await startReadServer({ isReady: () => ready });
  expect((await own.get('/healthz')).json()).toEqual({ status: 'ok' });
  const early = await own.get('/readyz');
  expect([early.status, early.json(), early.headers['retry-after']]).toEqual([
    503,
    { status: 'starting' },
    '1',
  ]);
  ready = true;
  const later = await own.get('/readyz');
  expect([later.status, later.json()]).toEqual([200, { status: 'ready' }]);
  expect(later.headers['cache-control']).toBe('no-store');
  await own.stop();
});

test('status tells programs in JSON how fresh each data set is', async () => {
  const own = await startReadServer({
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
  const reply = await own.get('/status');
  expect(reply.json()).toEqual({
    status: 'ready',
    dataSource: 'synthetic',
    synthetic: true,
    timestamp: '2026-11-20T15:30:00Z',
    datasets: [
      {
        dataset: 'earnings <b>',
        state: 'fresh',
        lastSuccessAt: '2026-11-20T15:29:00Z',
        lastChangeAt: null,
        ageSeconds: 60,
        targetSeconds: 900,
      },
    ],
  });
  const page = (await own.get('/status', { Accept: 'text/html' })).body.toString();
  expect(page).toContain('earnings &lt;b&gt;');
  expect(page).toContain('15 min');
  await own.stop();
});

test('llms.txt lists every endpoint with its parameters', async () => {
  const text = (await server.get('/llms.txt')).body.toString();
  for (const endpoint of server.world.endpoints) {
    expect(text).toContain(`http://data.example${endpoint.path}`);
    for (const parameter of endpoint.parameters) expect(text).toContain(`  - ${parameter.name} (`);
  }
});

test.each(['/nothing', '/%zz', '/errors/nothing', '/v1', '/docs/nothing'])(
  '%s is a problem in the documented form',
  async (path) => {
    const reply = await server.get(path);
    expect([reply.status, reply.json().code]).toEqual([404, 'not-found']);
    expect(reply.headers['content-type']).toBe('application/problem+json');
    expect(reply.headers['cache-control']).toBe('no-store');
  },
);

test('a page held by the browser is not sent again', async () => {
  const { etag } = (await server.get('/openapi.json')).headers;
  const again = await server.get('/openapi.json', { 'If-None-Match': String(etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});
