import type { Instant } from '../platform/instant.ts';
import { sizeBytesOf, type CachedResponse } from './response/cached-response.ts';

/**
 * Answers by what was asked. An answer leaves when one of its topics changes, when its time is up,
 * or when room is needed and it was not used lately.
 */
export interface ResponseCache {
  get(key: string, now: Instant): CachedResponse | null;
  /**
   * Computes the answer of `key`, once for all who wait for it, and keeps it unless it is a
   * refusal. When a topic changes meanwhile, those who waited get what was computed, it is not
   * kept, and whoever asks later computes anew: nothing read before a change is served long
   * after it.
   */
  load<R>(
    key: string,
    terms: { topics: readonly string[]; validUntil: Instant | null },
    compute: () => Promise<{ answer: CachedResponse } | { refusal: R }>,
  ): Promise<{ answer: CachedResponse } | { refusal: R }>;
  /** Whether somebody's computation of it is under way, which `load` would join. */
  isLoading(key: string): boolean;
  /** To be called after the change is committed. Topics are compared as they are, letter by letter. */
  invalidate(topics: Iterable<string>): void;
  invalidateAll(): void;
  sizeBytes(): number;
}

interface Entry {
  answer: CachedResponse;
  topics: readonly string[];
  validUntil: number;
  sizeBytes: number;
  /** Used since the last search for room passed by: spared once. */
  used: boolean;
}

interface Flight {
  topics: ReadonlySet<string>;
  overtaken: boolean;
  result: Promise<unknown>;
}

export function createResponseCache(options: { sizeMaxBytes: number }): ResponseCache {
  const entries = new Map<string, Entry>();
  const keysByTopic = new Map<string, Set<string>>();
  const flights = new Map<string, Flight>();
  let totalBytes = 0;

  function get(key: string, now: Instant): CachedResponse | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (now >= entry.validUntil) {
      remove(key, entry);
      return null;
    }
    entry.used = true;
    return entry.answer;
  }

  const load: ResponseCache['load'] = (key, terms, compute) => {
    type Result = Awaited<ReturnType<typeof compute>>;
    const running = flights.get(key);
    if (running !== undefined) return running.result as Promise<Result>;
    const flight: Flight = {
      topics: new Set(terms.topics),
      overtaken: false,
      result: Promise.resolve(),
    };
    const result = compute()
      .then((computed) => {
        if ('answer' in computed && !flight.overtaken) keep(key, computed.answer, terms);
        return computed;
      })
      .finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
    flight.result = result;
    flights.set(key, flight);
    return result;
  };

  function keep(
    key: string,
    answer: CachedResponse,
    terms: { topics: readonly string[]; validUntil: Instant | null },
  ): void {
    const sizeBytes = sizeBytesOf(answer);
    if (sizeBytes > options.sizeMaxBytes / 4) return;
    const old = entries.get(key);
    if (old !== undefined) remove(key, old);
    const validUntil = terms.validUntil ?? Number.POSITIVE_INFINITY;
    entries.set(key, { answer, topics: terms.topics, validUntil, sizeBytes, used: false });
    for (const topic of terms.topics) {
      const keys = keysByTopic.get(topic);
      if (keys === undefined) keysByTopic.set(topic, new Set([key]));
      else keys.add(key);
    }
    totalBytes += sizeBytes;
    makeRoom();
  }

  /** Second chance: the oldest entry goes, unless it was used since it was last looked at. */
  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (totalBytes <= options.sizeMaxBytes) return;
      if (entry.used) {
        entry.used = false;
        entries.delete(key);
        entries.set(key, entry);
      } else {
        remove(key, entry);
      }
    }
  }

  function remove(key: string, entry: Entry): void {
    entries.delete(key);
    totalBytes -= entry.sizeBytes;
    for (const topic of entry.topics) {
      const keys = keysByTopic.get(topic);
      keys?.delete(key);
      if (keys?.size === 0) keysByTopic.delete(topic);
    }
  }

  function invalidate(topics: Iterable<string>): void {
    for (const topic of topics) {
      for (const key of keysByTopic.get(topic) ?? []) {
        const entry = entries.get(key);
        if (entry !== undefined) remove(key, entry);
      }
      for (const [key, flight] of flights) {
        if (flight.topics.has(topic)) overtake(key, flight);
      }
    }
  }

  function overtake(key: string, flight: Flight): void {
    flight.overtaken = true;
    flights.delete(key);
  }

  function invalidateAll(): void {
    entries.clear();
    keysByTopic.clear();
    totalBytes = 0;
    for (const [key, flight] of flights) overtake(key, flight);
  }

  const isLoading = (key: string): boolean => flights.has(key);

  return { get, load, isLoading, invalidate, invalidateAll, sizeBytes: () => totalBytes };
}
