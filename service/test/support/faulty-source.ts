import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import { createLiveFeeds, type LiveFeeds } from '../../src/ingest/live-feeds.ts';
import { liveDeps } from '../../src/ingest/start-live.ts';
import { createHttpClient, type HttpClient } from '../../src/platform/http-client.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import type { Provider, SourceResponse } from '../../src/providers/provider.ts';
import type { Db } from '../../src/storage/db.ts';
import { countingDb } from './counting-db.ts';
import { watchedClock } from './scripted-source.ts';
import { silentLog } from './logs.ts';

/** Handles one request to the source. Calls `hold` if the response never ends. */
export type Behaviour = (
  response: ServerResponse,
  request: IncomingMessage,
  hold: () => void,
) => void;

/** Interval at which the scheduler checks for work. */
const STEP_MS = 60_000;
const IDLE_TURNS = 12;

/** Starts one provider's production ingestion against a server on loopback, on a fake clock. */
export async function startFaultySource(
  db: Db,
  original: Provider,
  startAt: number,
): Promise<FaultySource> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new FaultySource(server, db, redirectTo(origin, original), startAt);
}

/** A source whose `behaviour` is chosen by the test. Requests use real sockets. */
export class FaultySource {
  behaviour: Behaviour = (response) => void response.writeHead(500).end();
  /** Every request received, with its time on the fake clock. */
  readonly requests: { at: number; url: string }[] = [];
  readonly provider: Provider;
  readonly clock: ReturnType<typeof watchedClock>;
  readonly #server: Server;
  readonly #traffic = { inFlight: 0, heldOpen: 0 };
  readonly #store: ReturnType<typeof countingDb>;
  readonly #client: HttpClient;
  readonly #liveFeeds: LiveFeeds;

  constructor(server: Server, storeDb: Db, provider: Provider, startAt: number) {
    this.clock = watchedClock(startAt);
    this.provider = provider;
    this.#server = server;
    this.#store = countingDb(storeDb);
    const { clock } = this;
    const { db } = this.#store;
    const random = seededRandom(7);
    const providers = [provider];
    this.#client = createHttpClient({ clock, random, dispatcher: countingAgent(this.#traffic) });
    const ingestResponse = createIngest({ db, clock, providers, onCommit: () => undefined });
    const ingest: Ingest = (...args) => this.#store.track(ingestResponse(...args));
    const setting = (): undefined => undefined;
    const deps = liveDeps(
      { db, clock, random, ingest, providers, log: silentLog, setting },
      this.#client,
    );
    // No other process competes for the lease, and heartbeats would take time.
    this.#liveFeeds = createLiveFeeds({
      ...deps,
      pollMs: STEP_MS,
      withLease: (_, signal, events) => events.work({ signal, db }),
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#respond(request, response);
    });
    this.#liveFeeds.start();
  }

  /** Advances the clock, which stops while a request is in flight or the store is busy. */
  async advance(durationMs: number): Promise<void> {
    const { clock } = this;
    const until = clock.now() + durationMs;
    while (clock.now() < until) {
      await this.#waitUntilIdle();
      const waitMs = clock.nextWakeMs() ?? STEP_MS;
      await clock.advance(Math.max(0, Math.min(waitMs, STEP_MS, until - clock.now())));
    }
  }

  async close(): Promise<void> {
    const stopping = this.#liveFeeds.stop();
    await this.#client.close();
    this.#server.closeAllConnections();
    await stopping;
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const traffic = this.#traffic;
    this.requests.push({ at: this.clock.now(), url: request.url ?? '' });
    response.on('error', () => undefined);
    let isHeldOpen = false;
    const hold = (): void => {
      isHeldOpen = true;
      traffic.heldOpen++;
    };
    response.on('close', () => (traffic.heldOpen -= isHeldOpen ? 1 : 0));
    this.behaviour(response, request, hold);
  }

  /** Waits for several idle turns, because a complete body may not be parsed yet. */
  async #waitUntilIdle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await nextTurn();
      if (this.#traffic.inFlight !== this.#traffic.heldOpen || this.#store.isBusy()) idle = 0;
    }
  }
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

/** Counts requests in flight, from sending the request to the end of its response. */
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
