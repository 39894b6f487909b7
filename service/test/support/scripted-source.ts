import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Timer } from '../../src/platform/clock.ts';
import { fakeClock } from './fake-clock.ts';
import { createHttpClient } from '../../src/platform/http-client.ts';
import type { FetchResult, SourceClient } from '../../src/platform/source-client.ts';
import { ServerClocks } from '../../src/platform/server-clocks.ts';
import { seededRandom } from '../../src/platform/random.ts';

/** Handles one request to the scripted source. */
export type Handler = (response: ServerResponse, request: IncomingMessage) => void;

export const START = Date.UTC(2026, 10, 20, 15, 0, 0);
export const INTERVAL_MS = 3000;
export const TIMEOUT_MS = 10_000;
export const BYTES_MAX = 1_000_000;
export const REST_MS = 900_000;

/**
 * A hostile source on loopback. It uses the handlers in `script` in order, then `fallback`. The
 * client's waits run on a fake clock, which advances only while no request is in flight, or when a
 * test advances it.
 */
export interface ScriptedSource {
  origin: string;
  script: Handler[];
  fallback: Handler;
  /** Every request received, with its time on the fake clock. */
  requests: { atMs: number; path: string }[];
  clock: ReturnType<typeof watchedClock>;
  source: SourceClient;
  fetch(path?: string): Promise<FetchResult>;
  /**
   * Runs until the promise settles. While the client only waits, the clock advances to the end of
   * the wait.
   */
  settle<T>(promise: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function startScriptedSource({ checksClock = false } = {}): Promise<ScriptedSource> {
  const clock = watchedClock();
  const server = createServer((request, response) => {
    scriptedSource.requests.push({ atMs: clock.monotonicMs(), path: request.url ?? '' });
    // Requests that got no response are aborted at the end of the test.
    response.on('error', () => undefined);
    (scriptedSource.script.shift() ?? scriptedSource.fallback)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serverClocks = checksClock && { serverClocks: new ServerClocks(clock) };
  const client = createHttpClient({ clock, random: seededRandom(1), ...serverClocks });
  const limits = {
    intervalMsMin: INTERVAL_MS,
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: BYTES_MAX,
    cooldownMs: REST_MS,
  };
  const scriptedSource: ScriptedSource = {
    origin,
    script: [],
    fallback: respond(200, '{"ok":true}'),
    requests: [],
    clock,
    source: client.source({ name: 'script', hosts: [origin], limits }),
    fetch: (path = '/x') =>
      scriptedSource.settle(
        scriptedSource.source.fetch({ url: origin + path, headers: { 'user-agent': 'test' } }),
      ),
    settle: (promise) => settleOn(clock, promise),
    async close() {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return scriptedSource;
}

export function respond(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

export const cutConnection: Handler = (response) => {
  response.socket?.destroy();
};

export function textOf(result: FetchResult): string {
  if (result.kind !== 'response') throw new Error(`no response: ${JSON.stringify(result)}`);
  return result.response.text;
}

/** Runs the event loop until the condition is true, without advancing the clock. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Waits for one turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function settleOn<T>(
  clock: ReturnType<typeof watchedClock>,
  promise: Promise<T>,
): Promise<T> {
  const state = { isSettled: false };
  const finish = (): void => {
    state.isSettled = true;
  };
  promise.then(finish, finish);
  while (!state.isSettled) {
    await nextTurn();
    const waitMs = clock.nextSleepMs();
    if (waitMs !== null) await clock.advance(Math.max(0, waitMs));
  }
  return promise;
}

/** Creates a fake clock that reports when the next sleeper wakes. */
export function watchedClock(startAt: number = START) {
  const inner = fakeClock(startAt);
  const sleeps = new Set<number>();
  const timers = new Set<{ dueAtMs: number }>();
  const remainingMs = (dueAtMs: readonly number[]): number | null =>
    dueAtMs.length === 0 ? null : Math.min(...dueAtMs) - inner.monotonicMs();
  return {
    ...inner,
    /** Returns the time until the next sleeper wakes, or null if there is none. */
    nextSleepMs: () => remainingMs([...sleeps]),
    /** Works like `nextSleepMs`, but includes timers. */
    nextWakeMs: () => remainingMs([...sleeps, ...[...timers].map(({ dueAtMs }) => dueAtMs)]),
    async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
      const until = inner.monotonicMs() + delayMs;
      sleeps.add(until);
      await inner.sleep(delayMs, signal);
      sleeps.delete(until);
    },
    setTimer(delayMs: number, run: () => void): Timer {
      const entry = { dueAtMs: inner.monotonicMs() + Math.max(0, delayMs) };
      timers.add(entry);
      const timer = inner.setTimer(delayMs, () => {
        timers.delete(entry);
        run();
      });
      return {
        cancel() {
          timers.delete(entry);
          timer.cancel();
        },
      };
    },
  };
}
