import type { ApiKey } from '../../accounts/keys/api-key.ts';
import type { ApiKeyCache } from '../../accounts/keys/api-key-cache.ts';
import { keyRefusal } from '../../accounts/keys/key-refusal.ts';
import { type ChangeCursor, loadChanges } from '../../datasets/changes/load.ts';
import { findLostPosition, mayCrossEpoch } from '../../datasets/changes/epochs.ts';
import { changeFilterOf, cursorOf, parsePosition } from '../../endpoints/rows/change-query.ts';
import { findResumePosition } from '../../endpoints/rows/lost-position.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { changesStream } from '../../endpoints/streams/changes-stream.ts';
import { BoundedQueue } from '../../platform/bounded-queue.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Queryable } from '../../storage/db.ts';
import { problem, type Problem } from '../problems.ts';
import type { RequestContext } from '../request-context.ts';
import { watchlistNames } from '../request/expand-watchlists.ts';
import { resolveParameters } from '../request/request-target.ts';
import type { DataSource } from '../response/cached-response.ts';
import { COMMON_HEADERS, VARY } from '../response/headers.ts';
import type { HttpResponse, StreamReader, StreamSink } from '../response/http-response.ts';
import { positionLost } from '../response/response-loader.ts';
import { earliestVisibleDate, type ResolvedQuery } from '../response/resolved-query.ts';
import type { StreamedChange } from './change-event.ts';
import { ChangeStream, type ChangeStreamDeps } from './change-stream.ts';
import { ChangeTail } from './change-tail.ts';
import { SharedReads } from './shared-reads.ts';
import { WatchlistRefresh } from './watchlist-refresh.ts';

/** Maximum number of open streams. Leaves the rest of the 10,000 connections for other requests. */
const STREAMS_MAX = 4_000;
/** Maximum for a customer; a plan with fewer requests per minute has that many. */
const STREAMS_PER_CUSTOMER_MAX = 100;
/** Streams that read pages from the store at the same time. */
const CONCURRENT_READS_MAX = 4;
const TICK_MS = 1_000;

export interface ChangeStreamsDeps {
  /** The primary database, because a stream continues from its last position. */
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
  keys: Pick<ApiKeyCache, 'current'>;
  dataSource: DataSource;
  streamsMax?: number;
}

export type StreamOpening =
  | { refusal: Problem }
  /** Returns the response with additional headers. */
  | { open: (headers: readonly string[]) => HttpResponse };

/** All open streams of this process. They share one reader of the change log. */
export class ChangeStreams {
  readonly endpoint: Endpoint = changesStream;
  readonly #deps: ChangeStreamsDeps;
  readonly #tail: ChangeTail;
  readonly #watchlists: WatchlistRefresh;
  readonly #reads: SharedReads;
  readonly #pages = new BoundedQueue({
    concurrency: CONCURRENT_READS_MAX,
    waitingMax: Infinity,
  });
  /** Open streams with the addresses of their clients. */
  readonly #open = new Map<ChangeStream, string>();
  readonly #openByCustomer = new Map<string, Set<ChangeStream>>();
  readonly #streamDeps: ChangeStreamDeps;
  #timer: Timer | null = null;
  #sentEvents = 0;

  constructor(deps: ChangeStreamsDeps) {
    this.#deps = deps;
    const { db, clock } = deps;
    const reads = new SharedReads(deps);
    this.#reads = reads;
    this.#tail = new ChangeTail({
      db,
      clock,
      reads,
      onChanges: (changes, before) => this.#deliver(changes, before),
      onNewEpoch: () => this.#endAll(),
    });
    this.#watchlists = new WatchlistRefresh(db, clock);
    this.#streamDeps = {
      tail: this.#tail,
      monotonicMs: () => clock.monotonicMs(),
      loadPage: (cursor, filter) =>
        this.#pages.run(() => reads.run(() => this.#loadPage(cursor, filter))),
      historyFromOf: ({ plan: { historyMonths } }) =>
        historyMonths === null ? null : earliestVisibleDate(historyMonths, clock.now()),
      onSent: (events) => (this.#sentEvents += events),
      onFailed: (error) => void reads.failed(error),
      onClosed: (stream) => this.#remove(stream),
    };
  }

  /** Number of open streams, and of events sent since the process started. */
  counts(): { open: number; sentEvents: number } {
    return { open: this.#open.size, sentEvents: this.#sentEvents };
  }

  /** Call it when changes may have been committed. */
  wake(): void {
    this.#tail.wake();
  }

  /** Ends every stream. Their clients reconnect and continue after the last event. */
  close(): void {
    this.#endAll();
    this.#tail.stop();
  }

  /** Loads the next page of a stream. Ends all streams if this one followed a lost history. */
  async #loadPage(
    cursor: ChangeCursor,
    filter: Parameters<typeof loadChanges>[2],
  ): ReturnType<typeof loadChanges> {
    const { db } = this.#deps;
    const page = await loadChanges(db, cursor, filter);
    const next = page.at(-1);
    if (next === undefined || !('afterId' in cursor) || !mayCrossEpoch(cursor.afterId, next.id)) {
      return page;
    }
    if ((await findLostPosition(db, cursor.afterId)) === null) return page;
    this.#endAll();
    return [];
  }

  #endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
  }

  /** Checks whether a stream can be opened, before the request is charged. */
  async prepare(context: RequestContext, query: ResolvedQuery): Promise<StreamOpening> {
    const { request } = context;
    const cursor = startOf(request.headers['last-event-id'], query);
    if (cursor === INVALID) return { refusal: INVALID_EVENT_ID };
    if (cursor !== null) {
      const resumeAfter = await findResumePosition(this.#deps.db, cursor);
      const isHeader = (request.headers['last-event-id'] ?? '') !== '';
      const parameter = isHeader ? 'Last-Event-ID' : 'since';
      if (resumeAfter !== null) return { refusal: positionLost(parameter, resumeAfter) };
    }
    return this.#opening(context, query, cursor);
  }

  #opening(
    context: RequestContext,
    query: ResolvedQuery,
    cursor: ChangeCursor | null,
  ): StreamOpening {
    const { key, request } = context;
    const { streamsMax = STREAMS_MAX } = this.#deps;
    if (this.#open.size >= streamsMax) return { refusal: TOO_MANY_STREAMS };
    const openOfCustomer = this.#openByCustomer.get(key.customerId)?.size ?? 0;
    if (openOfCustomer >= maxOf(key)) return { refusal: tooManyOf(key) };
    return {
      open: (headers) => ({
        status: 200,
        headers: [...this.#headers(context, query), ...headers],
        body: null,
        ...(request.method === 'HEAD'
          ? {}
          : { openStream: (sink) => this.#add(sink, { context, query, cursor }) }),
      }),
    };
  }

  #headers({ requestId }: RequestContext, { historyFrom }: ResolvedQuery): string[] {
    const history = historyFrom === null ? [] : ['X-History-From', historyFrom];
    // A proxy that compressed or buffered the stream would hold events back.
    const unbuffered = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];
    const source = ['X-Data-Source', this.#deps.dataSource, 'Vary', VARY];
    const type = ['Content-Type', 'text/event-stream'];
    const id = ['X-Request-Id', requestId];
    return [...type, ...unbuffered, ...source, ...history, ...COMMON_HEADERS, ...id];
  }

  #add(
    sink: StreamSink,
    start: { context: RequestContext; query: ResolvedQuery; cursor: ChangeCursor | null },
  ): StreamReader {
    const { context, query, cursor } = start;
    const { key, request, target, now } = context;
    const selection = changeFilterOf(query.values, null);
    const stream = new ChangeStream(this.#streamDeps, { key, sink, cursor, selection });
    this.#open.set(stream, request.remoteAddress);
    const ofCustomer = this.#openByCustomer.get(key.customerId) ?? new Set();
    this.#openByCustomer.set(key.customerId, ofCustomer.add(stream));
    const original = resolveParameters(target, now);
    if ('values' in original) {
      const unexpanded = { ...query, values: original.values };
      if (watchlistNames(unexpanded).length > 0) {
        this.#watchlists.add(stream, unexpanded, key.customerId);
      }
    }
    this.#timer ??= this.#startTimer();
    void stream.catchUp();
    return stream;
  }

  #remove(stream: ChangeStream): void {
    this.#open.delete(stream);
    this.#watchlists.delete(stream);
    const { customerId } = stream.key;
    const ofCustomer = this.#openByCustomer.get(customerId);
    ofCustomer?.delete(stream);
    if (ofCustomer?.size === 0) this.#openByCustomer.delete(customerId);
    if (this.#open.size > 0) return;
    this.#tail.pause();
    this.#timer?.cancel();
    this.#timer = null;
  }

  #deliver(changes: readonly StreamedChange[], before: number): void {
    for (const [stream, address] of this.#open) {
      if (this.#isUsable(stream, address)) stream.deliver(changes, before);
      else stream.end();
    }
    if (this.#open.size === 0) this.#tail.pause();
  }

  #startTimer(): Timer {
    return this.#deps.clock.setTimer(TICK_MS, () => {
      this.#timer = this.#startTimer();
      this.#tick();
    });
  }

  #tick(): void {
    for (const [stream, address] of this.#open) {
      if (this.#isUsable(stream, address)) stream.tick();
      else stream.end();
    }
    for (const streams of this.#openByCustomer.values()) endExcess(streams);
    if (!this.#reads.isPaused) void this.#watchlists.refresh(this.#streamDeps.onFailed);
  }

  /** Returns false once the key no longer grants access. Follows changes of the key and its plan. */
  #isUsable(stream: ChangeStream, address: string): boolean {
    const key = this.#deps.keys.current(stream.key);
    if (key === null || key.customerId !== stream.key.customerId) return false;
    stream.key = key;
    return keyRefusal(key, { now: this.#deps.clock.now(), address, scope: 'read' }) === null;
  }
}

/** Ends the newest streams of a customer whose plan now allows fewer. */
function endExcess(streams: ReadonlySet<ChangeStream>): void {
  const [first] = streams;
  if (first === undefined || streams.size <= maxOf(first.key)) return;
  for (const stream of [...streams].slice(maxOf(first.key))) stream.end();
}

function maxOf({ plan }: ApiKey): number {
  return Math.min(plan.perMinute, STREAMS_PER_CUSTOMER_MAX);
}

const INVALID = 'invalid';

/**
 * Returns the start position; null to start with the next change. `Last-Event-ID` takes precedence
 * over `since`.
 */
function startOf(
  lastEventId: string | string[] | undefined,
  { values }: ResolvedQuery,
): ChangeCursor | null | typeof INVALID {
  if (lastEventId === undefined || lastEventId === '') return cursorOf(values);
  return (typeof lastEventId === 'string' ? parsePosition(lastEventId) : null) ?? INVALID;
}

const INVALID_EVENT_ID = problem(
  'invalid-parameter',
  'Last-Event-ID is not the id of a change. Send the id of the last event, unchanged.',
  { members: { parameter: 'Last-Event-ID' } },
);
const RETRY_LATER = { headers: ['Retry-After', '30'] };
const TOO_MANY_STREAMS = problem(
  'temporary-reduced-capacity',
  'This server has reached its stream limit. Retry later, or poll /v1/changes.',
  RETRY_LATER,
);

function tooManyOf(key: ApiKey): Problem {
  const detail = `Too many open streams. The limit of your plan is ${maxOf(key)} per customer.`;
  return problem('temporary-reduced-capacity', detail, RETRY_LATER);
}
