import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import { createLiveFeeds } from '../../src/ingest/live.ts';
import { liveDeps } from '../../src/ingest/start-live.ts';
import { createHttpClient } from '../../src/platform/http-client.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import type { SourceResponse, Provider } from '../../src/providers/provider.ts';
import type { Db } from '../../src/storage/db.ts';
import { countingDb } from './counting-db.ts';
import { watchedClock } from './scripted-source.ts';
import { silentLog } from './logs.ts';

/** What the source does with one request; `hold` says that it will never end by itself. */
export type Behaviour = (
  response: ServerResponse,
  request: IncomingMessage,
  hold: () => void,
) => void;

export interface FaultySource {
  behaviour: Behaviour;
  /** Every request that came, with the time by the fake clock. */
  requests: { at: number; url: string }[];
  provider: Provider;
  clock: ReturnType<typeof watchedClock>;
  /** Lets time pass; it stands still while a request is under way or the store at work. */
  advance(durationMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Somebody looks for work so often. */
const STEP_MS = 60_000;
const IDLE_TURNS = 12;

/**
 * The real gatherer on one source, which is a server on loopback that behaves as it is told: real
 * sockets, a fake clock. `provider` is asked at that server instead of its own host.
 */
export async function startFaultySource(
  args: Db,
  original: Provider,
  startAt: number,
): Promise<FaultySource> {
  const clock = watchedClock(startAt);
  const store = countingDb(args);
  const traffic = { underWay: 0, heldOpen: 0 };
  const server = createServer((request, response) => {
    source.requests.push({ at: clock.now(), url: request.url ?? '' });
    response.on('error', () => undefined);
    let isHeldOpen = false;
    const hold = (): void => {
      isHeldOpen = true;
      traffic.heldOpen++;
    };
    response.on('close', () => (traffic.heldOpen -= isHeldOpen ? 1 : 0));
    source.behaviour(response, request, hold);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = redirectTo(origin, original);
  const random = seededRandom(7);
  const client = createHttpClient({ clock, random, dispatcher: countingAgent(traffic) });
  const db = store.db;
  const ingestResponse = createIngest({
    db,
    clock,
    providers: [provider],
    onCommit: () => undefined,
  });
  const ingest: Ingest = (...args) => store.counted(ingestResponse(...args));
  const deps = liveDeps(
    {
      db,
      clock,
      random,
      ingest,
      providers: [provider],
      log: silentLog,
      setting: () => undefined,
    },
    client,
  );
  // There is no other process to keep out, and signs of life cost time.
  const liveFeeds = createLiveFeeds({
    ...deps,
    lookMs: STEP_MS,
    underLease: (_, signal, events) => events.work({ signal, db }),
  });
  liveFeeds.start();

  /** Until nothing has been under way for some turns: a body that is in is yet to be read. */
  async function waitUntilIdle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await nextTurn();
      if (traffic.underWay !== traffic.heldOpen || store.isBusy()) idle = 0;
    }
  }

  async function advance(durationMs: number): Promise<void> {
    const until = clock.now() + durationMs;
    while (clock.now() < until) {
      await waitUntilIdle();
      const waitMs = clock.nextWakeMs() ?? STEP_MS;
      await clock.advance(Math.max(0, Math.min(waitMs, STEP_MS, until - clock.now())));
    }
  }

  const source: FaultySource = {
    behaviour: (response) => void response.writeHead(500).end(),
    requests: [],
    provider,
    clock,
    advance,
    async close() {
      const stopped = liveFeeds.stop();
      await client.close();
      server.closeAllConnections();
      await stopped;
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return source;
}

function redirectTo(origin: string, original: Provider): Provider {
  const home = `https://${original.hosts[0] ?? ''}`;
  const withOriginalUrl = (response: SourceResponse): SourceResponse =>
    createSourceResponse({ ...response, url: response.url.replace(origin, home) });
  return {
    ...original,
    hosts: [origin],
    feeds: original.feeds.map((feed) => ({
      ...feed,
      claims: (response) => feed.claims(withOriginalUrl(response)),
      parse: (response) => feed.parse(withOriginalUrl(response)),
      ...(feed.plan !== undefined && {
        plan: (context) =>
          (feed.plan?.(context) ?? []).map((request) => ({
            ...request,
            url: request.url.replace(home, origin),
          })),
      }),
    })),
  };
}

/** Knows how many requests are between our sending and the end of what comes back. */
function countingAgent(traffic: { inFlight: number }): Dispatcher {
  return new Agent({ connections: 1 }).compose((dispatch) => (options, handler) => {
    traffic.inFlight++;
    let isDone = false;
    const finish = (): void => {
      if (!isDone) traffic.inFlight--;
      isDone = true;
    };
    return dispatch(options, {
      onRequestStart: (...args) => handler.onRequestStart?.(...args),
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd(...args) {
        handler.onResponseEnd?.(...args);
        finish();
      },
      onResponseError(...args) {
        handler.onResponseError?.(...args);
        finish();
      },
    });
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
