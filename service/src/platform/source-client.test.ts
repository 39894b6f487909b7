import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import {
  BYTES_MAX,
  cutConnection,
  type Handler,
  INTERVAL_MS,
  REST_MS,
  respond,
  type ScriptedSource,
  START,
  startScriptedSource,
  textOf,
} from '../../test/support/scripted-source.ts';

const WISH = { 'retry-after': '120' };
let world: ScriptedSource;

beforeEach(async () => {
  world = await startScriptedSource();
});

afterEach(() => world.close());

describe('cooldowns', () => {
  it("sends no requests to any of the source's hosts for the seconds given in Retry-After", async () => {
    world.script = [respond(429, '', { 'retry-after': '120' })];
    const retryAt = START + 120_000;
    const cooldown = { kind: 'unavailable', reason: 'rate-limited', retryAt };
    expect(await world.fetch()).toEqual(cooldown);
    expect(await world.fetch('/other')).toEqual(cooldown);
    expect(world.source.cooldown()).toEqual({ reason: 'rate-limited', retryAt });
    expect(world.requests).toHaveLength(1);
    await world.clock.advance(120_000);
    expect(world.source.cooldown()).toBeNull();
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
  });

  it('sends no requests until the date given in Retry-After, for at most a day', async () => {
    world.script = [
      respond(429, '', { 'retry-after': 'Fri, 20 Nov 2026 15:10:00 GMT' }),
      respond(429, '', { 'retry-after': '999999999' }),
    ];
    expect(await world.fetch()).toMatchObject({ retryAt: START + 600_000 });
    await world.clock.advance(600_000);
    expect(await world.fetch()).toMatchObject({ retryAt: START + 600_000 + 86_400_000 });
  });

  const cut: Handler = (response) => {
    response.writeHead(429, { 'retry-after': '120', 'content-length': '100' });
    response.write('<html>', () => response.socket?.destroy());
  };
  it.each([
    ['has an unrequested encoding', respond(429, 'x', { ...WISH, 'content-encoding': 'br' })],
    [
      'is not compressed as declared',
      respond(429, 'slow down', { ...WISH, 'content-encoding': 'gzip' }),
    ],
    ['is above the size limit', respond(429, 'x'.repeat(BYTES_MAX + 1), WISH)],
    ['is cut off', cut],
  ])('obeys Retry-After even if the response body %s', async (_, handler) => {
    world.script = [handler];
    const retryAt = START + 120_000;
    expect(await world.fetch()).toEqual({ kind: 'unavailable', reason: 'rate-limited', retryAt });
    expect(world.requests).toHaveLength(1);
  });

  it('applies the default cooldown if Retry-After is missing, and doubles it the next time', async () => {
    world.script = [
      respond(403, '<html>Access denied</html>', { 'content-type': 'text/html' }),
      respond(429, ''),
    ];
    expect(await world.fetch()).toMatchObject({ reason: 'blocked', retryAt: START + REST_MS });
    await world.clock.advance(REST_MS);
    expect(await world.fetch()).toMatchObject({ retryAt: START + REST_MS * 3 });
  });

  it('starts the same cooldown for a response that refuses with HTTP 200', async () => {
    const refuse = async () => {
      expect(textOf(await world.fetch())).toBe('{"ok":true}');
      return world.source.refused?.();
    };
    expect(await refuse()).toEqual({ reason: 'blocked', retryAt: START + REST_MS });
    expect(await world.fetch()).toMatchObject({ reason: 'blocked' });
    await world.clock.advance(REST_MS);
    expect(await refuse()).toEqual({ reason: 'blocked', retryAt: START + REST_MS * 3 });
  });

  it('starts no cooldown when an object store reports a missing object', async () => {
    const missing = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    world.script = [respond(403, missing, { 'content-type': 'application/xml' })];
    expect(await world.fetch()).toMatchObject({ kind: 'response', response: { status: 403 } });
    expect(world.source.cooldown()).toBeNull();
  });

  it('obeys Retry-After after a server error too, without retrying before then', async () => {
    world.script = [respond(503, '', { 'retry-after': '600' })];
    expect(await world.fetch()).toMatchObject({ reason: 'server-error', retryAt: START + 600_000 });
    expect(world.requests).toHaveLength(1);
    expect(await world.fetch()).toMatchObject({ reason: 'server-error' });
    expect(world.requests).toHaveLength(1);
  });
});

describe('circuit breaker', () => {
  it('opens the circuit after five failures in a row, lets one probe through and closes it on success', async () => {
    world.fallback = respond(500, '');
    await world.fetch();
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'breaker-open' });
    expect(world.requests).toHaveLength(5);
    expect(await world.fetch()).toMatchObject({ reason: 'breaker-open' });
    expect(world.requests).toHaveLength(5);
    await world.clock.advance(60_000);
    expect(await world.fetch()).toMatchObject({ reason: 'server-error' });
    expect(world.requests).toHaveLength(6);
    world.fallback = respond(200, 'well');
    await world.clock.advance(119_000);
    expect(await world.fetch()).toMatchObject({ reason: 'breaker-open' });
    await world.clock.advance(1000);
    expect(textOf(await world.fetch())).toBe('well');
    expect(world.source.cooldown()).toBeNull();
  });
});

describe('rate limit', () => {
  it('sends concurrent requests one at a time, in order and within the rate limit', async () => {
    const paths = Array.from({ length: 12 }, (_, i) => `/${i}`);
    await world.settle(
      Promise.all(
        paths.map((path) => world.source.fetch({ url: world.origin + path, headers: {} })),
      ),
    );
    expect(world.requests.map((request) => request.path)).toEqual(paths);
    expectAllowance();
  });

  it('stays within the rate limit during errors, redirects, dropped connections and cooldowns', async () => {
    const random = seededRandom(42);
    const moods: Handler[] = [
      respond(500, ''),
      respond(503, '', { 'retry-after': '7' }),
      respond(429, '', { 'retry-after': '30' }),
      cutConnection,
      respond(302, '', { location: '/elsewhere' }),
      respond(200, 'fine'),
      respond(200, 'fine'),
    ];
    world.fallback = (response, request) =>
      (moods[random.int(moods.length)] ?? cutConnection)(response, request);
    let responses = 0;
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      const results = await Promise.all([world.fetch('/a'), world.fetch('/b')]);
      responses += results.filter((result) => result.kind === 'response').length;
      await world.clock.advance(600_000);
    }
    expect(responses).toBeGreaterThan(100);
    expectAllowance();
  });

  function expectAllowance(): void {
    const times = world.requests.map((request) => request.atMs);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS);
  }
});

describe('redirects', () => {
  it('follows redirects to allowed hosts', async () => {
    world.script = [
      respond(301, '', { location: '/there' }),
      respond(307, '', { location: `${world.origin}/here` }),
    ];
    const result = await world.fetch('/start');
    expect(textOf(result)).toBe('{"ok":true}');
    expect(world.requests.map((request) => request.path)).toEqual(['/start', '/there', '/here']);
    if (result.kind === 'response') expect(result.response.url).toBe(`${world.origin}/start`);
  });

  it.each([
    'http://169.254.169.254/latest',
    'https://elsewhere.example/',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    'http://user@127.0.0.1/',
    'http://[',
  ])('does not follow redirects to %s', async (location) => {
    world.script = [respond(302, '', { location })];
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'redirected' });
    expect(world.requests).toHaveLength(1);
  });

  it('stops a redirect loop after the third redirect', async () => {
    world.fallback = respond(302, '', { location: '/again' });
    expect(await world.fetch()).toMatchObject({ reason: 'redirected' });
    expect(world.requests).toHaveLength(4);
  });
});

describe('requested URLs', () => {
  it.each(['https://127.0.0.1/', 'http://localhost/', 'https://data.example/', 'file:///x'])(
    "throws for the URL %s because its host isn't allowed",
    (url) => {
      expect(() => world.source.fetch({ url, headers: {} })).toThrow(RangeError);
      expect(world.requests).toEqual([]);
    },
  );

  it('cancels a request when the caller aborts, whether it is in flight or waiting', async () => {
    const stop = new AbortController();
    world.script = [() => stop.abort()];
    const { signal } = stop;
    const requests = [1, 2].map(() =>
      world.source.fetch({ url: world.origin, headers: {}, signal }),
    );
    const stopped = { kind: 'unavailable', reason: 'stopped', retryAt: START };
    expect(await world.settle(Promise.all(requests))).toEqual([stopped, stopped]);
    expect(world.requests).toHaveLength(1);
  });
});

describe('source clock', () => {
  it("compares the source's clock with ours for each response with a Date header", async () => {
    expect(world.source.clockAheadMs?.()).toBeNull();
    world.script = [respond(200, '{}', { date: new Date(START + 90_000).toUTCString() })];
    await world.fetch();
    expect(world.source.clockAheadMs?.()).toBe(90_000);
    world.script = [respond(200, '{}', { date: 'tomorrow' })];
    await world.fetch();
    expect(world.source.clockAheadMs?.()).toBe(90_000);
  });

  it('rejects responses while the clock is wrong, and fetches again once it is right', async () => {
    await world.close();
    world = await startScriptedSource({ checksClock: true });
    const dated =
      (lagMs: number): Handler =>
      (response, request) => {
        const date = new Date(world.clock.now() - lagMs).toUTCString();
        respond(200, '{"ok":true}', { date })(response, request);
      };
    world.fallback = dated(86_400_000);
    const refused = await world.fetch();
    expect(refused).toMatchObject({ kind: 'unavailable', reason: 'wrong-clock' });
    expect(world.requests.length).toBeLessThanOrEqual(3);
    world.fallback = dated(0);
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
  });

  it('accepts an old date from a cache after a second request', async () => {
    await world.close();
    world = await startScriptedSource({ checksClock: true });
    const date = new Date(START - 3_600_000).toUTCString();
    world.fallback = respond(200, '{"ok":true}', { date });
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
    expect(world.requests).toHaveLength(2);
  });
});
