import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchResult } from './source-client.ts';
import {
  BYTES_MAX,
  cutConnection,
  type Handler,
  INTERVAL_MS,
  respond,
  type ScriptedSource,
  START,
  startScriptedSource,
  textOf,
  TIMEOUT_MS,
  nextTurn,
  until,
} from '../../test/support/scripted-source.ts';

let world: ScriptedSource;

beforeEach(async () => {
  world = await startScriptedSource();
});

afterEach(() => world.close());

/** Sends a request and advances the clock once the server has received it. */
async function askAndWait(durationMs: number): Promise<FetchResult> {
  const before = world.requests.length;
  const promise = world.source.fetch({ url: `${world.origin}/slow`, headers: {} });
  await until(() => world.requests.length > before);
  await world.clock.advance(durationMs);
  return world.settle(promise);
}

describe('responses', () => {
  it("returns a response's status, content type, decoded text and time", async () => {
    world.script = [respond(200, '\uFEFF{"a":"é"}')];
    expect(await world.fetch('/a?b=c')).toEqual({
      kind: 'response',
      response: {
        url: `${world.origin}/a?b=c`,
        status: 200,
        contentType: 'application/json',
        observedAt: START,
        text: '{"a":"é"}',
      },
    });
  });

  it('requests compression and decompresses the response', async () => {
    let accepted: string | undefined;
    world.script = [
      (response, request) => {
        accepted = request.headers['accept-encoding'];
        respond(200, gzipSync('packed'), { 'content-encoding': 'gzip' })(response, request);
      },
    ];
    expect(textOf(await world.fetch())).toBe('packed');
    expect(accepted).toBe('gzip');
  });

  it.each([
    ['text/html', Buffer.from('9 \u20ac \u2014'), '9 \u20ac \u2014'],
    ['text/html', Buffer.from([0x39, 0x20, 0x80, 0x20, 0x97]), '9 \u20ac \u2014'],
    ['application/json', Buffer.from([0x39, 0x97]), '9\ufffd'],
  ])(
    'decodes %s without a charset as UTF-8, or an invalid page as Windows-1252',
    async (type, body, text) => {
      world.script = [respond(200, body, { 'content-type': type })];
      expect(textOf(await world.fetch())).toBe(text);
    },
  );

  it('decodes the response in its declared charset', async () => {
    const body = Buffer.from([0xe9]);
    world.script = [respond(200, body, { 'content-type': 'text/html; charset=ISO-8859-1' })];
    expect(textOf(await world.fetch())).toBe('é');
  });

  it.each([400, 401, 404, 410])('returns a response with status %i', async (status) => {
    world.script = [respond(status, 'no')];
    expect(await world.fetch()).toMatchObject({
      kind: 'response',
      response: { status, text: 'no' },
    });
    expect(world.requests).toHaveLength(1);
  });

  it('returns an HTML response unchanged even if JSON was expected', async () => {
    world.script = [respond(200, '<html>', { 'content-type': 'text/html' })];
    expect(textOf(await world.fetch())).toBe('<html>');
  });
});

describe('failures', () => {
  it('retries failed requests with a growing delay until one succeeds', async () => {
    world.script = [respond(503, ''), respond(500, '')];
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
    const [first = 0, second = 0, third = 0] = world.requests.map((request) => request.atMs);
    expect(second - first).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(third - second).toBeGreaterThanOrEqual(INTERVAL_MS);
  });

  it('reports a failure after three attempts, with the time of the next allowed attempt', async () => {
    world.fallback = respond(502, 'bad gateway');
    const result = await world.fetch();
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'server-error' });
    expect(world.requests).toHaveLength(3);
    if (result.kind === 'unavailable') expect(result.retryAt).toBeGreaterThan(world.clock.now());
  });

  it('treats a connection that breaks before or during the body as a failure', async () => {
    const truncated: Handler = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => response.socket?.destroy());
    };
    world.script = [cutConnection, truncated];
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
    expect(world.requests).toHaveLength(3);
  });

  it('treats truncated or invalid compressed data as a failure', async () => {
    const packed = gzipSync('x'.repeat(5000));
    world.script = [
      respond(200, packed.subarray(0, packed.length - 12), { 'content-encoding': 'gzip' }),
      respond(200, 'not packed', { 'content-encoding': 'gzip' }),
    ];
    expect(textOf(await world.fetch())).toBe('{"ok":true}');
    expect(world.requests).toHaveLength(3);
  });

  it("treats a content encoding that it didn't request as a failure", async () => {
    world.fallback = respond(200, 'x', { 'content-encoding': 'br' });
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('treats a timeout while waiting for the headers as a failure', async () => {
    world.script = [() => undefined];
    expect(textOf(await askAndWait(TIMEOUT_MS))).toBe('{"ok":true}');
    expect(world.requests).toHaveLength(2);
  });

  it('treats a timeout while reading the body as a failure', async () => {
    let isSent = false;
    world.script = [
      (response) => {
        response.writeHead(200);
        response.write('{', () => {
          isSent = true;
        });
      },
    ];
    const promise = world.source.fetch({ url: world.origin, headers: {} });
    await until(() => isSent);
    await world.clock.advance(TIMEOUT_MS);
    expect(textOf(await world.settle(promise))).toBe('{"ok":true}');
    expect(world.requests).toHaveLength(2);
  });

  it('treats a body that exceeds the total timeout as a failure even if every chunk arrives in time', async () => {
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
    world.script = [slow];
    const promise = world.source.fetch({ url: world.origin, headers: {} });
    await until(() => drip !== undefined);
    for (let i = 0; i < 20 && world.requests.length === 1; i++) {
      drip?.();
      // The chunk must arrive over a real socket before the clock advances.
      for (let turns = 0; turns < 50; turns++) await nextTurn();
      await world.clock.advance(TIMEOUT_MS * 0.4);
    }
    expect(textOf(await world.settle(promise))).toBe('{"ok":true}');
    expect(drips).toBeGreaterThan(2);
    expect(drips).toBeLessThan(20);
  });
});

describe('body limit', () => {
  it("doesn't read a body whose declared length exceeds the size limit", async () => {
    world.script = [
      (response) => response.writeHead(200, { 'content-length': '200000000' }).flushHeaders(),
    ];
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(world.requests).toHaveLength(1);
  });

  it('stops reading a 200 MB body of undeclared length at the size limit', async () => {
    let sent = 0;
    let ended = false;
    const closed = new Promise<void>((resolve) => {
      world.script = [
        (response) => {
          const piece = Buffer.alloc(65_536, 'x');
          const sendMore = (): void => {
            while (sent < 200_000_000) {
              sent += piece.length;
              if (!response.write(piece)) return void response.once('drain', sendMore);
            }
            ended = true;
          };
          response.on('close', resolve);
          response.writeHead(200);
          sendMore();
        },
      ];
    });
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    await closed;
    expect(ended).toBe(false);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('rejects a body that exceeds the size limit after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(BYTES_MAX);
    world.script = [respond(200, bomb, { 'content-encoding': 'gzip' })];
    expect(await world.fetch()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(world.requests).toHaveLength(1);
  });

  it('reads a body whose size is exactly the limit', async () => {
    world.script = [respond(200, 'x'.repeat(BYTES_MAX))];
    expect(textOf(await world.fetch())).toHaveLength(BYTES_MAX);
  });
});
