import type { Instant } from '../platform/instant.ts';
import { RUN_AT_ONCE, type Task, type Turn, type WorkQueue } from '../platform/fair-queue.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type CachedResponse, sizeBytesOf } from './response/cached-response.ts';
import { ModifiedTimes } from './response/modified-times.ts';

interface Lifetime {
  /** Each topic must be exactly equal to the topic passed to `invalidate`. */
  topics: readonly string[];
  validUntil: Instant | null;
}

interface Entry {
  response: CachedResponse;
  topics: readonly string[];
  validUntil: number;
  sizeBytes: number;
  /** Set by `get`. Eviction skips such an entry once and clears the flag. */
  used: boolean;
}

/** A caller of `load`. */
export interface Requester {
  /** Key of the queue: the customer that pays for the computation. */
  queueKey: string;
  /**
   * Calls the listener once the client has gone or has its response. Without it, the client is
   * assumed to wait.
   */
  whenClosed?: ((listener: () => void) => void) | undefined;
}

const ANY_REQUESTER: Requester = { queueKey: '' };

/** A computation, waiting or running, that is shared by concurrent callers. */
interface Flight {
  topics: ReadonlySet<string>;
  task: Pick<Task<unknown>, 'join' | 'cancel'> | null;
  /** Number of clients that have not gone. */
  clients: number;
  /** True once one of its topics has changed. The result is then returned but not stored. */
  stale: boolean;
  result: Promise<unknown>;
}

/**
 * Caches responses by canonical URL. An entry is removed when one of its topics changes, when it
 * expires, or when space is needed and it was not used recently.
 */
export class ResponseCache {
  readonly modifiedTimes = new ModifiedTimes();
  readonly #sizeMaxBytes: number;
  readonly #queue: WorkQueue;
  readonly #entries = new Map<string, Entry>();
  readonly #keysByTopic = new Map<string, Set<string>>();
  readonly #flights = new Map<string, Flight>();
  #totalBytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: { sizeMaxBytes: number; queue?: WorkQueue }) {
    this.#sizeMaxBytes = options.sizeMaxBytes;
    this.#queue = options.queue ?? RUN_AT_ONCE;
  }

  get(key: string, now: Instant): CachedResponse | null {
    const entry = this.#entries.get(key);
    if (entry !== undefined && now < entry.validUntil) {
      this.#hits += 1;
      entry.used = true;
      return entry.response;
    }
    this.#misses += 1;
    if (entry !== undefined) this.#remove(key, entry);
    return null;
  }

  /**
   * Computes the response for `key` once for all concurrent callers, and stores it unless it is a
   * refusal. If a topic changes in the meantime, those callers still receive the result, but it is
   * not stored and later callers compute a new one. As a result, data read before a change is never
   * served long after that change.
   *
   * The computation waits in the queue under the key of each caller, and is cancelled once the
   * clients of all callers have gone. The promise then rejects with `WorkCancelledError`.
   */
  load<R>(
    key: string,
    lifetime: Lifetime,
    compute: (turn: Turn) => Promise<{ response: CachedResponse } | { refusal: R }>,
    requester: Requester = ANY_REQUESTER,
  ): Promise<{ response: CachedResponse } | { refusal: R }> {
    type Result = Awaited<ReturnType<typeof compute>>;
    const running = this.#flights.get(key);
    if (running !== undefined) {
      running.task?.join(requester.queueKey);
      this.#watch(key, running, requester);
      return running.result as Promise<Result>;
    }
    const topics = new Set(lifetime.topics);
    const result = Promise.resolve();
    const flight: Flight = { topics, task: null, clients: 0, stale: false, result };
    this.#flights.set(key, flight);
    this.#watch(key, flight, requester);
    const task = this.#queue.submit(requester.queueKey, compute);
    flight.task = task;
    const response = task.result
      .then((computed) => {
        if ('response' in computed && !flight.stale) this.#store(key, computed.response, lifetime);
        return computed;
      })
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    flight.result = response;
    return response;
  }

  /** Runs work whose result is not cached in the same queue, and cancels it if its client goes. */
  run<T>(work: (turn: Turn) => Promise<T>, { queueKey, whenClosed }: Requester): Promise<T> {
    const task = this.#queue.submit(queueKey, work);
    whenClosed?.(() => task.cancel());
    return task.result;
  }

  /** Cancels the computation once no client waits for it. Later callers start a new one. */
  #watch(key: string, flight: Flight, { whenClosed }: Requester): void {
    flight.clients += 1;
    whenClosed?.(() => {
      flight.clients -= 1;
      if (flight.clients > 0) return;
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      flight.task?.cancel();
    });
  }

  /** Returns true if `load` would wait for a running computation instead of starting one. */
  isLoading(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Removes the responses for these topics. Call this after the change has been committed. */
  invalidate(topics: Iterable<string>): void {
    for (const topic of topics) {
      for (const key of this.#keysByTopic.get(topic) ?? []) {
        const entry = this.#entries.get(key);
        if (entry !== undefined) this.#remove(key, entry);
      }
      for (const [key, flight] of this.#flights) {
        if (flight.topics.has(topic)) this.#detach(key, flight);
      }
    }
  }

  invalidateAll(): void {
    this.#entries.clear();
    this.#keysByTopic.clear();
    this.#totalBytes = 0;
    for (const [key, flight] of this.#flights) this.#detach(key, flight);
  }

  sizeBytes(): number {
    return this.#totalBytes;
  }

  lookups(): { hits: number; misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  #store(key: string, response: CachedResponse, { topics, validUntil }: Lifetime): void {
    const sizeBytes = sizeBytesOf(response);
    if (sizeBytes > this.#sizeMaxBytes / 4) return;
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#remove(key, previous);
    this.#entries.set(key, {
      response,
      topics,
      validUntil: validUntil ?? Number.POSITIVE_INFINITY,
      sizeBytes,
      used: false,
    });
    for (const topic of topics) {
      const keys = this.#keysByTopic.get(topic);
      if (keys === undefined) this.#keysByTopic.set(topic, new Set([key]));
      else keys.add(key);
    }
    this.#totalBytes += sizeBytes;
    this.#evict();
  }

  /** Second-chance eviction: removes the oldest entry, unless it was used since the last round. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#totalBytes <= this.#sizeMaxBytes) return;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else {
        this.#remove(key, entry);
      }
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#totalBytes -= entry.sizeBytes;
    for (const topic of entry.topics) {
      const keys = this.#keysByTopic.get(topic);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTopic.delete(topic);
    }
  }

  /** Detaches a running computation, so that later callers start a new one. */
  #detach(key: string, flight: Flight): void {
    flight.stale = true;
    this.#flights.delete(key);
  }
}

/** Exports metrics for the cache and returns the same cache. */
export function instrumentCache(cache: ResponseCache, metrics: Metrics): ResponseCache {
  metrics.counterOf(
    {
      name: 'afterbell_answer_cache_lookups_total',
      help: 'Lookups in the response cache, by result (hit or miss).',
      labels: ['result'],
    },
    () => {
      const { hits, misses } = cache.lookups();
      return [
        { value: hits, labels: { result: 'hit' } },
        { value: misses, labels: { result: 'miss' } },
      ];
    },
  );
  metrics.gauge(
    {
      name: 'afterbell_answer_cache_bytes',
      help: 'Size of the response cache in bytes.',
      combine: 'sum',
    },
    () => [{ value: cache.sizeBytes() }],
  );
  return cache;
}
