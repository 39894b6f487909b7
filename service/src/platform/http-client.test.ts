import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchResult } from './source-client.ts';
import {
  BYTES_MAX,
  cutConnection,
  type Handler,
  INTERVAL_MS,
  say,
  type ScriptedSource,
  START,
  startScriptedSource,
  textOf,
  TIMEOUT_MS,
  turn,
  until,
} from '../../test/support/scripted-source.ts';

let world: ScriptedSource;

beforeEach(async () => {
  world = await startScriptedSource();
});

afterEach(() => world.close());

/** Asks and, once the request is on the wire, lets time pass. */
async function askAndWait(durationMs: number): Promise<FetchResult> {
  const before = world.seen.length;
  const promise = world.source.fetch({ url: `${world.origin}/slow`, headers: {} });
  await until(() => world.seen.length > before);
  await world.clock.advance(durationMs);
  return world.settle(promise);
}

describe('what comes back', () => {
  it('is an answer with status, type, decoded text and the time it was seen', async () => {
    world.script = [say(200, '\uFEFF{"a":"é"}')];
    expect(await world.ask('/a?b=c')).toEqual({
      kind: 'response',
      answer: {
        url: `${world.origin}/a?b=c`,
        status: 200,
        contentType: 'application/json',
        observedAt: START,
        text: '{"a":"é"}',
      },
    });
  });

  it('is unpacked when it was packed, and asked for so', async () => {
    let accepted: string | undefined;
    world.script = [
      (response, request) => {
        accepted = request.headers['accept-encoding'];
        say(200, gzipSync('packed'), { 'content-encoding': 'gzip' })(response, request);
      },
    ];
    expect(textOf(await world.ask())).toBe('packed');
    expect(accepted).toBe('gzip');
  });

  it('is read in the charset it names', async () => {
    const body = Buffer.from([0xe9]);
    world.script = [say(200, body, { 'content-type': 'text/html; charset=ISO-8859-1' })];
    expect(textOf(await world.ask())).toBe('é');
  });

  it.each([400, 401, 404, 410])('is an answer also with status %i', async (status) => {
    world.script = [say(status, 'no')];
    expect(await world.ask()).toMatchObject({ kind: 'response', answer: { status, text: 'no' } });
    expect(world.seen).toHaveLength(1);
  });

  it('is an answer when HTML comes instead of JSON: the feed judges it', async () => {
    world.script = [say(200, '<html>', { 'content-type': 'text/html' })];
    expect(textOf(await world.ask())).toBe('<html>');
  });
});

describe('failures', () => {
  it('are tried again after a growing pause: two errors and an answer', async () => {
    world.script = [say(503, ''), say(500, '')];
    expect(textOf(await world.ask())).toBe('{"ok":true}');
    const [first = 0, second = 0, third = 0] = world.seen.map((request) => request.atMs);
    expect(second - first).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(third - second).toBeGreaterThanOrEqual(INTERVAL_MS);
  });

  it('are reported after three attempts, with the time to ask again', async () => {
    world.fallback = say(502, 'bad gateway');
    const result = await world.ask();
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'server-error' });
    expect(world.seen).toHaveLength(3);
    if (result.kind === 'unavailable') expect(result.retryAt).toBeGreaterThan(world.clock.now());
  });

  it('include a connection that breaks, before or within the body', async () => {
    const truncated: Handler = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => response.socket?.destroy());
    };
    world.script = [cutConnection, truncated];
    expect(textOf(await world.ask())).toBe('{"ok":true}');
    expect(world.seen).toHaveLength(3);
  });

  it('include packed bytes that end early or are none', async () => {
    const packed = gzipSync('x'.repeat(5000));
    world.script = [
      say(200, packed.subarray(0, packed.length - 12), { 'content-encoding': 'gzip' }),
      say(200, 'not packed', { 'content-encoding': 'gzip' }),
    ];
    expect(textOf(await world.ask())).toBe('{"ok":true}');
    expect(world.seen).toHaveLength(3);
  });

  it('include an encoding that was not asked for', async () => {
    world.fallback = say(200, 'x', { 'content-encoding': 'br' });
    expect(await world.ask()).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('include silence before the headers', async () => {
    world.script = [() => undefined];
    expect(textOf(await askAndWait(TIMEOUT_MS))).toBe('{"ok":true}');
    expect(world.seen).toHaveLength(2);
  });

  it('include silence within the body', async () => {
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
    expect(world.seen).toHaveLength(2);
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
    world.script = [slow];
    const promise = world.source.fetch({ url: world.origin, headers: {} });
    await until(() => drip !== undefined);
    for (let i = 0; i < 20 && world.seen.length === 1; i++) {
      drip?.();
      // The piece has to cross a real socket before time moves on.
      for (let turns = 0; turns < 50; turns++) await turn();
      await world.clock.advance(TIMEOUT_MS * 0.4);
    }
    expect(textOf(await world.settle(promise))).toBe('{"ok":true}');
    expect(drips).toBeGreaterThan(2);
    expect(drips).toBeLessThan(20);
  });
});

describe('a body beyond the bound', () => {
  it('is not read when its length is told', async () => {
    world.script = [
      (response) => response.writeHead(200, { 'content-length': '200000000' }).flushHeaders(),
    ];
    expect(await world.ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(world.seen).toHaveLength(1);
  });

  it('is cut off soon when its length is not told, of 200 MB', async () => {
    let sent = 0;
    let ended = false;
    const closed = new Promise<void>((resolve) => {
      world.script = [
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
    expect(await world.ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    await closed;
    expect(ended).toBe(false);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('is refused when a small one unpacks to more', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(BYTES_MAX);
    world.script = [say(200, bomb, { 'content-encoding': 'gzip' })];
    expect(await world.ask()).toMatchObject({ kind: 'unavailable', reason: 'too-large' });
    expect(world.seen).toHaveLength(1);
  });

  it('is read whole when it just fits', async () => {
    world.script = [say(200, 'x'.repeat(BYTES_MAX))];
    expect(textOf(await world.ask())).toHaveLength(BYTES_MAX);
  });
});
