import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  runAfterbell,
  startAfterbell,
  type StartedAfterbell,
} from '../../service/test/support/afterbell-process.ts';
import { createAuthority } from '../../service/test/support/certificates.ts';
import { ask, askHttp2, readStart, sendRaw, SITE } from './ask.ts';
import {
  freePort,
  isProgramMissing,
  type ProxyOptions,
  type RunningProxy,
  startCaddy,
  startNginx,
} from './proxies.ts';

const PROXIES: Record<string, (options: ProxyOptions) => Promise<RunningProxy>> = {
  nginx: startNginx,
  caddy: startCaddy,
};
/** The only address from which the restricted key may be used. */
const CUSTOMER = '127.0.0.9';
const PATH = '/v1/market-status';

let data: string;
let service: StartedAfterbell;
/** A key without restrictions, and a key restricted to one address. */
let key: string;
let boundKey: string;
const authority = createAuthority();
const certificate = authority.selfSigned(SITE);

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'afterbell-proxied-'));
  service = await startAfterbell(['--data-dir', data], {
    SANDBOX_SYMBOLS: '20',
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: `https://${SITE}`,
  });
  key = await makeKey();
  boundKey = await makeKey('--allow', `${CUSTOMER}/32`);
});

afterAll(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

describe.for(Object.keys(PROXIES).filter((name) => !isProgramMissing(name)))(
  'the service behind %s',
  (name) => {
    test("passes the customer's real address to the service, regardless of the headers that the customer sends", async () => {
      const { url } = await startProxy(name, Number(new URL(service.url).port));
      const headers = { 'X-Api-Key': boundKey };
      expect(await ask(url, PATH, { headers, from: CUSTOMER })).toBe(200);
      expect(await ask(url, PATH, { headers })).toBe(403);
      const forged = { ...headers, 'X-Forwarded-For': CUSTOMER, Forwarded: `for=${CUSTOMER}` };
      expect(await ask(url, PATH, { headers: forged })).toBe(403);
    });

    test('writes no key to any log, regardless of how the key was sent and what failed', async () => {
      const proxy = await startProxy(name, Number(new URL(service.url).port));
      expect(await sendKeys(proxy.url)).toEqual([200, 200, 200, 200, 401]);
      await sendBroken(proxy.url);
      const away = await startProxy(name, await freePort());
      for (const status of await sendKeys(away.url)) expect(status).toBeGreaterThanOrEqual(500);
      for (const { logs, stop } of [proxy, away]) {
        await stop();
        expect(logs()).toContain(PATH);
        expect(logs()).not.toContain(key);
        expect(logs()).not.toMatch(/ap[i]key|api%6bey/i);
      }
      expect(away.logs()).toMatch(/"(nodeStatus|status)":"?50[234]/);
    });

    test('passes on the events of a stream at once', async () => {
      const { url } = await startProxy(name, Number(new URL(service.url).port));
      const path = '/v1/changes/stream?since=2020-01-01T00:00:00Z';
      const { status, text } = await readStart(url, path, { 'X-Api-Key': key }, 'event: change');
      expect([status, text.startsWith('retry: 3000\n\nid: chg_')]).toEqual([200, true]);
    });

    test('exposes the health check to everyone, but the readiness check to no one outside, and keeps browsers on TLS', async () => {
      const { url } = await startProxy(name, Number(new URL(service.url).port));
      expect(await ask(url, '/healthz')).toBe(200);
      const home = `GET / HTTP/1.1\r\nHost: ${SITE}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(url, home)).toMatch(/strict-transport-security: max-age=31536000/i);
      expect([403, 404]).toContain(await ask(url, '/readyz', { from: CUSTOMER }));
    });
  },
);

test.skipIf(isProgramMissing('nginx'))(
  'serves HTTP/2 behind nginx, rejects a key sent in clear text, and keeps line breaks out of redirects',
  async () => {
    const { url, clearUrl, logs } = await startProxy('nginx', Number(new URL(service.url).port));
    expect(await askHttp2(url, `${PATH}?apikey=${key}`, key)).toBe(200);
    if (clearUrl === null) throw new Error('nothing is taken in clear');
    expect(await ask(clearUrl, `${PATH}?apikey=${key}`)).toBe(403);
    expect(await ask(clearUrl, `/account/v1/session?apikey=${key}`)).toBe(403);
    expect(await ask(clearUrl, '/mcp')).toBe(403);
    expect(await ask(clearUrl, `/dashboard?apikey=${key}`)).toBe(301);
    const split = `GET /a%0d%0aSet-Cookie:%20session=forged HTTP/1.1\r\nHost: ${SITE}\r\n\r\n`;
    const redirect = await sendRaw(
      clearUrl,
      split.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(redirect).toMatch(/\r\nLocation: https:\/\/[^\r]+\/a%0d%0aSet-Cookie/i);
    expect(redirect).not.toMatch(/^set-cookie:/im);
    const elsewhere = ask(clearUrl, `${PATH}?apikey=${key}`, { headers: { Host: 'elsewhere' } });
    await expect(elsewhere).rejects.toThrow('hang up');
    expect(logs()).not.toContain(key);
  },
);

/**
 * Sends a key in every possible way. The last key is invalid: it is our key with an extra character
 * in front.
 */
async function sendKeys(url: string): Promise<number[]> {
  const referer = { Referer: `https://${SITE}/v1/x?apikey=${key}`, 'X-Api-Key': key };
  return [
    await ask(url, `${PATH}?apikey=${key}`),
    await ask(url, `${PATH}?api%6Bey=${key}`),
    await ask(url, PATH, { headers: { Authorization: `Bearer ${key}` } }),
    await ask(url, PATH, { headers: referer }),
    await ask(url, `${PATH}?apikey=x${key}`),
  ];
}

/** Sends requests that a proxy rejects itself and might log. */
async function sendBroken(url: string): Promise<void> {
  const broken = [
    `GET ${PATH}?apikey=${key} HTTP/9.9\r\nHost: ${SITE}\r\n\r\n`,
    `GET ${PATH}?apikey=${key} HTTP/1.1\r\nHost: ${SITE}\r\nHost: two\r\nX Y: ${key}\r\n\r\n`,
    `GET ${PATH}?apikey=${key} HTTP/1.1\r\nHost: ${SITE}\r\nX-Api-Key: ${key}${'x'.repeat(40_000)}\r\n\r\n`,
    `GET ${PATH}?apikey=${key}&x=${'y'.repeat(40_000)} HTTP/1.1\r\nHost: ${SITE}\r\n\r\n`,
  ];
  for (const text of broken) expect(await sendRaw(url, text)).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const large = { method: 'POST', headers, body: 'x'.repeat(3 * 1024 * 1024) };
  // A client that is still sending its request when the response arrives may find the connection
  // closed.
  const status = await ask(url, `/account/v1/keys?apikey=${key}`, large).catch(() => null);
  expect([413, 502, null]).toContain(status);
}

async function startProxy(name: string, node: number): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `afterbell-${name}-`));
  const proxy = await PROXIES[name]?.({ folder, node, certificate });
  if (proxy === undefined) throw new Error(name);
  onTestFinished(async () => {
    await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return proxy;
}

async function makeKey(...flags: string[]): Promise<string> {
  const argv = ['keys', 'create', '--plan', 'pro', '--data-dir', data, ...flags];
  const { code, stdout, stderr } = await runAfterbell(argv);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}
