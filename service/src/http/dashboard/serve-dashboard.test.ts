import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../../platform/random.ts';
import { serveDashboard } from './serve-dashboard.ts';

const PAGE =
  '<meta name="style-nonce" content="%STYLE_NONCE%"><meta name="brand" content="%BRAND%">' +
  '<meta name="header-brand" content="%HEADER_BRAND%">';

let folder: string;
let app: FastifyInstance;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterbell-pages-'));
  app = fastify();
  const brands = { brand: 'A & "B"', headerBrand: 'A-B' };
  serveDashboard(app, { random: seededRandom(1), ...brands, folder });
});

afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

function build(): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'main-abc.js'), 'x'.repeat(5_000));
  writeFileSync(join(folder, 'assets', 'geist-abc.woff2'), 'font');
  writeFileSync(join(folder, 'secret.txt'), 'what nobody may read');
}

test('serves the dashboard page at every path, with a new nonce in its content security policy each time', async () => {
  build();
  const seen = new Set<string>();
  for (const url of [
    '/dashboard',
    '/dashboard/',
    '/dashboard/keys?customer=x',
    '/dashboard/keys',
  ]) {
    const { statusCode, headers, body } = await app.inject({ url });
    expect(statusCode).toBe(200);
    const nonce = /content="([\w-]{22})"/.exec(body)?.[1] ?? 'none';
    seen.add(nonce);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers['cache-control']).toBe('no-store');
  }
  expect(seen.size).toBe(4);
});

test('escapes the service name in the dashboard page', async () => {
  build();
  const { body } = await app.inject({ url: '/dashboard' });
  expect(body).toContain('content="A &amp; &quot;B&quot;"');
});

test('inserts the brand used in webhook header names into the dashboard page', async () => {
  build();
  const { body } = await app.inject({ url: '/dashboard' });
  expect(body).toContain('<meta name="header-brand" content="A-B">');
});

test('serves dashboard assets as immutable, and compresses them on request', async () => {
  build();
  const plain = await app.inject({ url: '/dashboard/assets/main-abc.js' });
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  const packed = await app.inject({
    url: '/dashboard/assets/main-abc.js',
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
});

test('serves the dashboard page while passwords occupy the thread pool', async () => {
  build();
  let hashed = 0;
  const hashes = Array.from({ length: 8 }, async () => {
    await promisify(pbkdf2)('password', 'salt', 100_000, 32, 'sha512');
    hashed += 1;
  });
  expect((await app.inject({ url: '/dashboard' })).statusCode).toBe(200);
  expect(hashed).toBe(0);
  await Promise.all(hashes);
});

test('does not compress fonts', async () => {
  build();
  const { headers, body } = await app.inject({
    url: '/dashboard/assets/geist-abc.woff2',
    headers: { 'Accept-Encoding': 'br' },
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(body).toBe('font');
});

test.each([
  '/dashboard/assets/../secret.txt',
  '/dashboard/assets/..%2Fsecret.txt',
  '/dashboard/assets/%2e%2e/secret.txt',
  '/dashboard/assets/..%5Csecret.txt',
  '/dashboard/assets/.built-from',
  '/dashboard/assets/missing-abc.js',
])('serves only built files when asked for %s', async (url) => {
  build();
  const { statusCode, body } = await app.inject({ url });
  expect(body).not.toContain('nobody may read');
  // A path traversal returns either a 404 or the dashboard page.
  expect(statusCode === 404 || body.includes('style-nonce')).toBe(true);
});

test('explains how to build the dashboard if it is missing, and serves it once it is built', async () => {
  const before = await app.inject({ url: '/dashboard' });
  expect(before.statusCode).toBe(503);
  expect(before.body).toContain('npm run build');
  build();
  expect((await app.inject({ url: '/dashboard' })).statusCode).toBe(200);
});

test('serves the dashboard page from a new build without a restart', async () => {
  build();
  await app.inject({ url: '/dashboard' });
  writeFileSync(join(folder, 'index.html'), `${PAGE}<p>another</p>`);
  expect((await app.inject({ url: '/dashboard' })).body).toContain('another');
});
