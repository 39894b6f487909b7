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
  seen: { at: number; url: string }[];
  provider: Provider;
  clock: ReturnType<typeof watchedClock>;
  /** Lets time pass; it stands still while a request is under way or the store at work. */
  pass(durationMs: number): Promise<void>;
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
  given: Db,
  original: Provider,
  startAt: number,
): Promise<FaultySource> {
  const clock = watchedClock(startAt);
  const store = countingDb(given);
  const wire = { underWay: 0, held: 0 };
  const server = createServer((request, response) => {
    world.seen.push({ at: clock.now(), url: request.url ?? '' });
    response.on('error', () => undefined);
    let isHeld = false;
    const hold = (): void => {
      isHeld = true;
      wire.held++;
    };
    response.on('close', () => (wire.held -= isHeld ? 1 : 0));
    world.behaviour(response, request, hold);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = movedTo(origin, original);
  const random = seededRandom(7);
  const client = createHttpClient({ clock, random, dispatcher: countingAgent(wire) });
  const db = store.db;
  const take = createIngest({ db, clock, providers: [provider], onCommit: () => undefined });
  const ingest: Ingest = (...taken) => store.counted(take(...taken));
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
  const live = createLiveFeeds({
    ...deps,
    lookMs: STEP_MS,
    underLease: (_, signal, events) => events.work({ signal, db }),
  });
  live.start();

  /** Until nothing has been under way for some turns: a body that is in is yet to be read. */
  async function quiet(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await turn();
      if (wire.underWay !== wire.held || store.isBusy()) idle = 0;
    }
  }

  async function pass(durationMs: number): Promise<void> {
    const until = clock.now() + durationMs;
    while (clock.now() < until) {
      await quiet();
      const waitMs = clock.nextWakeMs() ?? STEP_MS;
      await clock.advance(Math.max(0, Math.min(waitMs, STEP_MS, until - clock.now())));
    }
  }

  const world: FaultySource = {
    behaviour: (response) => void response.writeHead(500).end(),
    seen: [],
    provider,
    clock,
    pass,
    async close() {
      const stopped = live.stop();
      await client.close();
      server.closeAllConnections();
      await stopped;
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return world;
}

function movedTo(origin: string, original: Provider): Provider {
  const home = `https://${original.hosts[0] ?? ''}`;
  const back = (response: SourceResponse): SourceResponse =>
    createSourceResponse({ ...response, url: response.url.replace(origin, home) });
  return {
    ...original,
    hosts: [origin],
    feeds: original.feeds.map((feed) => ({
      ...feed,
      claims: (response) => feed.claims(back(response)),
      parse: (response) => feed.parse(back(response)),
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
function countingAgent(wire: { underWay: number }): Dispatcher {
  return new Agent({ connections: 1 }).compose((dispatch) => (options, handler) => {
    wire.underWay++;
    let isOver = false;
    const over = (): void => {
      if (!isOver) wire.underWay--;
      isOver = true;
    };
    return dispatch(options, {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd(...given) {
        handler.onResponseEnd?.(...given);
        over();
      },
      onResponseError(...given) {
        handler.onResponseError?.(...given);
        over();
      },
    });
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
