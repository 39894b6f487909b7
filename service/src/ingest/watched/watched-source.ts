import type { Instant } from '../../platform/instant.ts';
import type { FeedRequest, SourceResponse } from '../../providers/provider.ts';
import { fetchAndIngest } from '../run-requests.ts';
import type { WatchedDeps } from './watched-deps.ts';

/**
 * A request that is to be repeated. After a failure of the source, the next request would fail as
 * well; after one of a document, it may succeed.
 */
export interface Failure {
  of: 'source' | 'document';
  /** Earliest repetition. */
  retryAt: Instant;
}

export type FetchOutcome =
  | { kind: 'ingested' | 'rejected'; rows: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'stopped' };

/** A first response that takes longer is reported, while its request goes on. */
const SLOW_MS = 5_000;
/** Reasons why no response came, whatever was requested. */
const OF_SOURCE: ReadonlySet<string> = new Set(['network', 'timeout']);
const REFUSALS: ReadonlySet<string> = new Set(['blocked', 'rate-limited']);

/** Makes requests for watched companies and reports the start and the end of each outage. */
export class WatchedSource {
  readonly #deps: WatchedDeps;
  #outage: 'unreachable' | 'refused' | null = null;
  #hasResponse = false;

  constructor(deps: WatchedDeps) {
    this.#deps = deps;
  }

  /** Makes one request, without retries, and ingests its response. */
  async fetch(request: FeedRequest, ingest = this.#deps.ingest): Promise<FetchOutcome> {
    const { clock, source } = this.#deps;
    const { host } = new URL(request.url);
    const timer = clock.setTimer(SLOW_MS, () => {
      if (!this.#hasResponse) this.#reportOutage(host, 'no response in 5 seconds');
    });
    const deps = {
      ...this.#deps,
      ingest: (response: SourceResponse) => {
        timer.cancel();
        this.#endOutage(host);
        return ingest(response);
      },
    };
    const result = await fetchAndIngest(deps, { ...request, attemptsMax: 1 }).finally(() =>
      timer.cancel(),
    );
    if (result.kind === 'stopped') return result;
    if (result.kind === 'unavailable') {
      return { kind: 'failed', failure: this.failed(host, result.reason) };
    }
    if (result.kind !== 'cooldown') return result;
    this.#reportOutage(host, source.cooldown()?.reason ?? 'blocked');
    const retryAt = clock.now() + result.waitMs;
    return { kind: 'failed', failure: { of: 'source', retryAt } };
  }

  /** Returns the failure after a request without a response, and reports an outage. */
  failed(host: string, reason: string): Failure {
    const of = OF_SOURCE.has(reason) ? 'source' : 'document';
    if (of === 'source') this.#reportOutage(host, reason);
    return { of, retryAt: this.#deps.clock.now() };
  }

  #reportOutage(host: string, reason: string): void {
    const { provider, onProgress } = this.#deps;
    const isRefusal = REFUSALS.has(reason);
    const isNew = this.#outage === null || (isRefusal && this.#outage !== 'refused');
    if (!isNew) return;
    this.#outage = isRefusal ? 'refused' : 'unreachable';
    const advice = isRefusal ? (provider.whenRefused ?? null) : null;
    onProgress({ kind: 'unavailable', host, reason, isRefusal, advice });
  }

  #endOutage(host: string): void {
    this.#hasResponse = true;
    if (this.#outage !== null) this.#deps.onProgress({ kind: 'available', host });
    this.#outage = null;
  }
}
