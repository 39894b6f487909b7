import { loadJobProgress, saveJobProgress } from '../datasets/jobs/store.ts';
import {
  recordFailedTry,
  finishRequest,
  nextRequest,
  queueRequests,
  type RequestFilter,
  type RequestOutcome,
  type IngestRequest,
} from '../datasets/jobs/request-store.ts';
import { loadSourceState, saveSourceState } from '../datasets/jobs/source-state.ts';
import { loadResponseTimes } from '../datasets/runs/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { SourceMemory, SourceState } from '../platform/source-memory.ts';
import type { Db } from '../storage/db.ts';

/** Ingestion state that survives restarts. */
export interface JobStore {
  /** Returns the start of a job's last complete run, or null if there was none. */
  loadProgress(id: string): Promise<Instant | null>;
  saveProgress(id: string, at: Instant): Promise<void>;
  /** Returns a source's next queued request. */
  nextRequest(provider: string, filter: RequestFilter): Promise<IngestRequest | null>;
  finishRequest(request: IngestRequest, outcome: RequestOutcome, rows: number): Promise<void>;
  failRequest(request: IngestRequest): Promise<void>;
  /**
   * Queues requests for idle time, unless they were made before. Returns the number of new
   * requests.
   */
  recordRequests(batch: string, requests: readonly IngestRequest[]): Promise<number>;
  /** Returns the time of a feed's last response since `since`, by stored URL. */
  loadResponseTimes(
    provider: string,
    feed: string,
    since: Instant,
  ): Promise<ReadonlyMap<string, Instant>>;
}

export function jobStore(db: Db, clock: Clock): JobStore {
  return {
    loadProgress: (id) => loadJobProgress(db, id),
    saveProgress: (id, at) => saveJobProgress(db, id, at),
    nextRequest: (provider, filter) => nextRequest(db, provider, filter),
    finishRequest: (request, outcome, rows) =>
      finishRequest(db, request, { outcome, rows, now: clock.now() }),
    failRequest: (request) => recordFailedTry(db, request, clock.now()),
    recordRequests: (id, requests) =>
      queueRequests(db, requests, { id, isUrgent: false, isRefetch: false, now: clock.now() }),
    loadResponseTimes: (provider, feed, since) => loadResponseTimes(db, { provider, feed, since }),
  };
}

/** Keeps the limits of a source, or of one of its hosts, across restarts. */
export function sourceMemory(db: Db, provider: string, host: string | null): SourceMemory {
  return {
    load: async () => (await loadSourceState(db, provider, host)) as SourceState | null,
    save: (state) => saveSourceState(db, { provider, host, state }),
  };
}
