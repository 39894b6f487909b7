import { Batcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { redact } from '../platform/redact.ts';
import type { Queryable } from '../storage/db.ts';
import { addRequests, pruneRequests, type LoggedRequest } from './request-log-store.ts';

/** The latest authenticated requests, as shown to the customers that made them. */
export interface RequestLog {
  /** Records a request without waiting. `path` is the path and query string without the key. */
  record(request: LoggedRequest): void;
  /** Number of requests dropped since startup because too many were unwritten. */
  readonly dropped: number;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const PRUNE_INTERVAL_MS = 600_000;
const WRITE_DELAY_MS = 250;
const RETRY_MS = { minMs: 1_000, maxMs: 30_000 };
/**
 * Maximum number of unwritten requests kept while the store is unavailable. Further requests are
 * dropped, and the drop is logged.
 */
const UNWRITTEN_MAX = 20_000;
const BATCH_SIZE_MAX = 2_000;
const PATH_LENGTH_MAX = 2_048;
const KEEP_DAYS = 30;
const KEEP_ROWS = 1_000_000;

interface RequestLogDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  keepDays?: number;
  /** Maximum number of rows kept across all customers. */
  keepRows?: number;
}

export function startRequestLog(deps: RequestLogDeps): RequestLog {
  return new BatchedRequestLog(deps);
}

/**
 * Collects requests in memory and writes them within 250 ms, and on a clean stop, in the order of
 * their responses. Deletes requests that are older than `keepDays` or not among the latest
 * `keepRows`.
 */
class BatchedRequestLog implements RequestLog {
  readonly #deps: Required<RequestLogDeps>;
  readonly #batcher: Batcher<LoggedRequest>;
  #unwritten = 0;
  #dropped = 0;
  #droppedLogged = 0;
  #prunedAtMs = -Infinity;

  constructor(deps: RequestLogDeps) {
    const { clock, log } = deps;
    this.#deps = { keepDays: KEEP_DAYS, keepRows: KEEP_ROWS, ...deps };
    this.#batcher = new Batcher({
      clock,
      run: (requests) => this.#write(requests),
      maxSize: BATCH_SIZE_MAX,
      // Full batches wait too, so that under heavy load the log leaves the CPU to requests.
      flushSize: Infinity,
      maxWaitMs: WRITE_DELAY_MS,
      retry: RETRY_MS,
      onError: (failure) =>
        log.warn(
          { event: 'request_log.write_failed', ...failure },
          'the request log could not be written, retrying',
        ),
    });
  }

  get dropped(): number {
    return this.#dropped;
  }

  record(request: LoggedRequest): void {
    if (this.#unwritten >= UNWRITTEN_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#unwritten += 1;
    this.#batcher.push(request);
  }

  stop(): Promise<void> {
    return this.#batcher.stop();
  }

  async #write(requests: readonly LoggedRequest[]): Promise<void> {
    const { db, log } = this.#deps;
    await addRequests(db, requests.map(sanitize));
    this.#unwritten -= requests.length;
    if (this.#dropped > this.#droppedLogged) {
      log.warn(
        { event: 'request_log.dropped', requests: this.#dropped - this.#droppedLogged },
        'requests are missing from the request log because too many were unwritten',
      );
      this.#droppedLogged = this.#dropped;
    }
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { db, clock, log, keepDays, keepRows } = this.#deps;
    if (clock.monotonicMs() - this.#prunedAtMs < PRUNE_INTERVAL_MS) return;
    this.#prunedAtMs = clock.monotonicMs();
    const cutoff = clock.now() - keepDays * DAY_MS;
    await pruneRequests(db, { before: cutoff, keepRows }).catch((err: unknown) => {
      log.warn(
        { event: 'request_log.write_failed', err },
        'old requests could not be deleted, retrying later',
      );
    });
  }
}

/**
 * Matches every path that may contain a secret and few others. Only these paths are fully redacted,
 * because redaction takes 7 µs per path and a batch may contain thousands of paths.
 */
const SUSPECT = /eds_|whsec_|key|token|secret|password|authorization|cookie|bearer|basic|:\/\//i;

/**
 * Removes everything that looks like a key, because clients may put anything into the query string.
 */
function sanitize(request: LoggedRequest): LoggedRequest {
  const path = request.path.slice(0, PATH_LENGTH_MAX).replaceAll('\0', '');
  return { ...request, path: SUSPECT.test(path) ? redact(path) : path };
}
