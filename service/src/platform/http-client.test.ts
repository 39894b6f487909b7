import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from './fake-clock.ts';
import { createHttpClient } from './http-client.ts';
import type { HttpClient } from './http-client.ts';
import type { FetchResult, PoliteSource } from './polite-source.ts';
import { seededRandom } from './random.ts';

/**
 * A hostile source on loopback, driven by a script: one handler for each request that comes. Our
 * own waits run on a fake clock, which moves only while no request is on the wire, or when a test
 * moves it.
 */
type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const START = Date.UTC(2026, 10, 20, 15, 0, 0);
const INTERVAL_MS = 3000;
const TIMEOUT_MS = 10_000;
const BYTES_MAX = 1_000_000;
const REST_MS = 900_000;

let server: Server;
let origin: string;
let script: Handler[];
let fallback: Handler;
let seen: { atMs: number; path: string }[];
let clock: ReturnType<typeof watchedClock>;
let client: HttpClient;
let source: PoliteSource;

function watchedClock() {
  const inner = fakeClock(START);
  const sleeps = new Set<number>();
  return {
    ...inner,
    /** How long until the first of the sleepers wakes; null when nobody sleeps. */
    nextSleepMs: () => (sleeps.size === 0 ? null : Math.min(...sleeps) - inner.monotonicMs()),
    async sleep(delayMs: number, signal?: AbortSignal) {
      const until = inner.monotonicMs() + delayMs;
      sleeps.add(until);
      await inner.sleep(delayMs, signal);
      sleeps.delete(until);
    },
  };
}

beforeEach(async () => {
  script = [];
  seen = [];
  fallback = say(200, '{"ok":true}');
  clock = watchedClock();
  server = createServer((request, response) => {
    seen.push({ atMs: clock.monotonicMs(), path: request.url ?? '' });
    // What a test leaves unanswered is closed by force at its end.
    response.on('error', () => undefined);
    (script.shift() ?? fallback)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createHttpClient({ clock, random: seededRandom(1) });
  source = client.source({
    name: 'script',
    hosts: [origin],
    pace: {
      intervalMsMin: INTERVAL_MS,
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: BYTES_MAX,
      restMs: REST_MS,
    },
  });
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function say(status: number, body: string | Buffer, headers: Record<string, string> = {}): Handler {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

const cutConnection: Handler = (response) => void response.socket?.destroy();

/** Runs to the result; while the client only waits, time moves to the end of the wait. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let finished = false;
  const done = promise.finally(() => {
    finished = true;
  });
  done.catch(() => undefined);
  while (!finished) {
    await new Promise((resolve) => setImmediate(resolve));
    const waitMs = clock.nextSleepMs();
    if (waitMs !== null && !finished) await clock.advance(Math.max(0, waitMs));
  }
  return done;
}

function ask(path = '/x'): Promise<FetchResult> {
  return settle(source.fetch({ url: origin + path, headers: { 'user-agent': 'test' } }));
}

/** Asks and, once the request is on the wire, lets time pass. */
async function askAndWait(durationMs: number): Promise<FetchResult> {
  const before = seen.length;
  const promise = source.fetch({ url: `${origin}/slow`, headers: {} });
  while (seen.length === before) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(durationMs);
  return settle(promise);
}

function textOf(result: FetchResult): string {
  if (result.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(result)}`);
  return result.answer.text;
}

describe('what comes back', () => {
  it('is an answer with status, type, decoded text and the time it was seen', async () => {
    script = [say(200, '\uFEFF{"a":"é"}')];
    expect(await ask('/a?b=c')).toEqual({
      kind: 'answer',
      answer: {
        url: `${origin}/a?b=c`,
        status: 200,
        contentType: 'application/json',
        observedAt: START,
        text: '{"a":"é"}',
      },
    });
  });

  it('is unpacked when it was packed, and asked for so', async () => {
    let accepted: string | undefined;
    script = [
      (response, request) => {
        accepted = request.headers['accept-encoding'];
        say(200, gzipSync('packed'), { 'content-encoding': 'gzip' })(response, request);
      },
    ];
    expect(textOf(await ask())).toBe('packed');
    expect(accepted).toBe('gzip');
  });

  it('is read in the charset it names', async () => {
    const body = Buffer.from([0xe9]);
    script = [say(200, body, { 'content-type': 'text/html; charset=ISO-8859-1' })];
    expect(textOf(await ask())).toBe('é');
  });

  it.each([400, 401, 404, 410])('is an answer also with status %i', async (status) => {
    script = [say(status, 'no')];
    expect(await ask()).toMatchObject({ kind: 'answer', answer: { status, text: 'no' } });
    expect(seen).toHaveLength(1);
  });

  it('is an answer when HTML comes instead of JSON: the feed judges it', async () => {
    script = [say(200, '<html>', { 'content-type': 'text/html' })];
    expect(textOf(await ask())).toBe('<html>');
  });
});

describe('failures', () => {
  it('are tried again after a growing pause: two errors and an answer', async () => {
    script = [say(503, ''), say(500, '')];
    expect(textOf(await ask())).toBe('{"ok":true}');
    const [first = 0, second = 0, third = 0] = seen.map((request) => request.atMs);
    expect(second - first).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(third - second).toBeGreaterThanOrEqual(INTERVAL_MS);
  });

  it('are reported after three attempts, with the time to ask again', async () => {
    fallback = say(502, 'bad gateway');
    const result = await ask();
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'server-error' });
    expect(seen).toHaveLength(3);
    if (result.kind === 'unavailable') expect(result.retryAt).toBeGreaterThan(clock.now());
  });

  it('include a connection that breaks, before or within the body', async () => {
    const truncated: Handler = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => response.socket?.destroy());
    };
    script = [cutConnection, truncated];
    expect(textOf(await ask())).toBe('{"ok":true}');
    expect(seen).toHaveLength(3);
  });

  it('include packed bytes that end early or are none', async () => {
    const packed = gzipSync('x'.repeat(5000));
    script = [
      say(200, packed.subarray(0, packed.length - 12), { 'content-encoding': 'gzip' }),
      say(200, 'not packed', { 'content-encoding': 'gzip' }),
    ];
    expect(textOf(await ask())).toBe('{"ok":true}');
    expect(seen).toHaveLength(3);
  });

  it('include an encoding that was not asked for', async () => {
    fallback = say(200, 'x', { 'content-encoding': 'br' });
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('include silence before the headers', async () => {
    script = [() => undefined];
    expect(textOf(await askAndWait(TIMEOUT_MS))).toBe('{"ok":true}');
    expect(seen).toHaveLength(2);
  });

  it('include silence within the body', async () => {
    let isSent = false;
    script = [
      (response) => {
        response.writeHead(200);
        response.write('{', () => {
          isSent = true;
        });
      },
    ];
    const promise = source.fetch({ url: origin, headers: {} });
    while (!isSent) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(TIMEOUT_MS);
    expect(textOf(await settle(promise))).toBe('{"ok":true}');
    expect(seen).toHaveLength(2);
  });

  it('include a body that drips for ever: each piece is in time, the whole is not', async () => {
    let drips = 0;
    let drip: (() => void) | undefined;
    const slow: Handler = (response) => {
      response.writeHead(200);
      drip = () => {
        if (response.destroyed) return;
        response.write('x');
        drips++;
      };
    };
    script = [slow];
    const promise = source.fetch({ url: origin, headers: {} });
    while (drip === undefined) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 20 && seen.length === 1; i++) {
      drip();
      // The piece has to cross a real socket before time moves on.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(TIMEOUT_MS * 0.4);
    }
    expect(textOf(await settle(promise))).toBe('{"ok":true}');
    expect(drips).toBeGreaterThan(2);
    expect(drips).toBeLessThan(20);
  });
});

describe('a body beyond the bound', () => {
  it('is not read when its length is told', async () => {
    script = [
      (response) => void response.writeHead(200, { 'content-length': '200000000' }).flushHeaders(),
    ];
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(seen).toHaveLength(1);
  });

  it('is cut off soon when its length is not told, of 200 MB', async () => {
    let sent = 0;
    let ended = false;
    const closed = new Promise<void>((resolve) => {
      script = [
        (response) => {
          const piece = Buffer.alloc(65_536, 'x');
          const more = (): void => {
            while (sent < 200_000_000) {
              sent += piece.length;
              if (!response.write(piece)) return void response.once('drain', more);
            }
            ended = true;
          };
          response.on('close', resolve);
          response.writeHead(200);
          more();
        },
      ];
    });
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    await closed;
    expect(ended).toBe(false);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('is refused when a small one unpacks to more', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(BYTES_MAX);
    script = [say(200, bomb, { 'content-encoding': 'gzip' })];
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(seen).toHaveLength(1);
  });

  it('is read whole when it just fits', async () => {
    script = [say(200, 'x'.repeat(BYTES_MAX))];
    expect(textOf(await ask())).toHaveLength(BYTES_MAX);
  });
});

describe('a source that asks for rest', () => {
  it('gets the seconds it names, for all its addresses', async () => {
    script = [say(429, '', { 'retry-after': '120' })];
    const retryAt = START + 120_000;
    const rest = { kind: 'unavailable', reason: 'rate-limited', retryAt };
    expect(await ask()).toEqual(rest);
    expect(await ask('/other')).toEqual(rest);
    expect(source.resting()).toEqual({ reason: 'rate-limited', retryAt });
    expect(seen).toHaveLength(1);
    await clock.advance(120_000);
    expect(source.resting()).toBeNull();
    expect(textOf(await ask())).toBe('{"ok":true}');
  });

  it('gets rest until the date it names, and at most a day', async () => {
    script = [
      say(429, '', { 'retry-after': 'Fri, 20 Nov 2026 15:10:00 GMT' }),
      say(429, '', { 'retry-after': '999999999' }),
    ];
    expect(await ask()).toMatchObject({ retryAt: START + 600_000 });
    await clock.advance(600_000);
    expect(await ask()).toMatchObject({ retryAt: START + 600_000 + 86_400_000 });
  });

  it('rests as its pace says when it names no time, and twice as long the next time', async () => {
    script = [
      say(403, '<html>Access denied</html>', { 'content-type': 'text/html' }),
      say(429, ''),
    ];
    expect(await ask()).toMatchObject({ reason: 'blocked', retryAt: START + REST_MS });
    await clock.advance(REST_MS);
    expect(await ask()).toMatchObject({ retryAt: START + REST_MS * 3 });
  });

  it('is not thought to block when it only lacks an object', async () => {
    const missing = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    script = [say(403, missing, { 'content-type': 'application/xml' })];
    expect(await ask()).toMatchObject({ kind: 'answer', answer: { status: 403 } });
    expect(source.resting()).toBeNull();
  });

  it('has its wish honoured with an error as well, without a retry in between', async () => {
    script = [say(503, '', { 'retry-after': '600' })];
    expect(await ask()).toMatchObject({ reason: 'server-error', retryAt: START + 600_000 });
    expect(seen).toHaveLength(1);
    expect(await ask()).toMatchObject({ reason: 'server-error' });
    expect(seen).toHaveLength(1);
  });
});

describe('the breaker', () => {
  it('opens after five failures in a row, lets one probe through, and closes on success', async () => {
    fallback = say(500, '');
    await ask();
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'breaker-open' });
    expect(seen).toHaveLength(5);
    expect(await ask()).toMatchObject({ reason: 'breaker-open' });
    expect(seen).toHaveLength(5);
    await clock.advance(60_000);
    expect(await ask()).toMatchObject({ reason: 'server-error' });
    expect(seen).toHaveLength(6);
    fallback = say(200, 'well');
    await clock.advance(119_000);
    expect(await ask()).toMatchObject({ reason: 'breaker-open' });
    await clock.advance(1000);
    expect(textOf(await ask())).toBe('well');
    expect(source.resting()).toBeNull();
  });
});

describe('the allowance', () => {
  it('is kept by many at once, in order, one at a time', async () => {
    const paths = Array.from({ length: 12 }, (_, i) => `/${i}`);
    await settle(
      Promise.all(paths.map((path) => source.fetch({ url: origin + path, headers: {} }))),
    );
    expect(seen.map((request) => request.path)).toEqual(paths);
    expectAllowance();
  });

  it('is kept through errors, redirects, cuts and rests of a flapping day', async () => {
    const random = seededRandom(42);
    const moods: Handler[] = [
      say(500, ''),
      say(503, '', { 'retry-after': '7' }),
      say(429, '', { 'retry-after': '30' }),
      cutConnection,
      say(302, '', { location: '/elsewhere' }),
      say(200, 'fine'),
      say(200, 'fine'),
    ];
    fallback = (response, request) =>
      (moods[random.int(moods.length)] ?? cutConnection)(response, request);
    let answered = 0;
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      const results = await Promise.all([ask('/a'), ask('/b')]);
      answered += results.filter((result) => result.kind === 'answer').length;
      await clock.advance(600_000);
    }
    expect(answered).toBeGreaterThan(100);
    expectAllowance();
  });

  function expectAllowance(): void {
    const times = seen.map((request) => request.atMs);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS);
  }
});

describe('redirects', () => {
  it('are followed within the list', async () => {
    script = [say(301, '', { location: '/there' }), say(307, '', { location: `${origin}/here` })];
    const result = await ask('/start');
    expect(textOf(result)).toBe('{"ok":true}');
    expect(seen.map((request) => request.path)).toEqual(['/start', '/there', '/here']);
    if (result.kind === 'answer') expect(result.answer.url).toBe(`${origin}/start`);
  });

  it.each([
    'http://169.254.169.254/latest',
    'https://elsewhere.example/',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    'http://user@127.0.0.1/',
    'http://[',
  ])('to %s are not followed', async (location) => {
    script = [say(302, '', { location })];
    expect(await ask()).toMatchObject({ kind: 'unavailable', reason: 'redirected' });
    expect(seen).toHaveLength(1);
  });

  it('in a circle end after the third', async () => {
    fallback = say(302, '', { location: '/again' });
    expect(await ask()).toMatchObject({ reason: 'redirected' });
    expect(seen).toHaveLength(4);
  });
});

describe('an address', () => {
  it.each(['https://127.0.0.1/', 'http://localhost/', 'https://data.example/', 'file:///x'])(
    '%s off the list is a broken rule',
    (url) => {
      expect(() => source.fetch({ url, headers: {} })).toThrow(RangeError);
      expect(seen).toEqual([]);
    },
  );

  it('is no longer asked for once the caller gives up, on the wire or waiting', async () => {
    const stop = new AbortController();
    script = [() => stop.abort()];
    const { signal } = stop;
    const asked = [1, 2].map(() => source.fetch({ url: origin, headers: {}, signal }));
    const stopped = { kind: 'unavailable', reason: 'stopped', retryAt: START };
    expect(await settle(Promise.all(asked))).toEqual([stopped, stopped]);
    expect(seen).toHaveLength(1);
  });
});
