import { Batcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { LoopReporter } from '../platform/loop-health.ts';
import type { Queryable } from '../storage/db.ts';
import { addUsage, pruneUsage, type UsageCount } from './usage-store.ts';

/** Counts requests by hour, endpoint and status for use in charts. */
export interface UsageRecorder {
  /**
   * Counts a request without waiting. `endpoint` is the endpoint's name, or a placeholder for
   * unknown paths.
   */
  record(request: {
    keyId: string;
    customerId: string;
    endpoint: string;
    status: number;
    now: Instant;
  }): void;
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WRITE_DELAY_MS = 250;
const RETRY_MS = { minMs: 1_000, maxMs: 30_000 };
/**
 * Maximum number of unwritten counts kept while the store is unavailable. Further counts are
 * dropped, and the drop is logged.
 */
const UNWRITTEN_MAX = 20_000;
const KEEP_DAYS = 400;

interface UsageDeps {
  db: Queryable;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  health?: LoopReporter | undefined;
  keepDays?: number;
}

export function startUsageRecorder(deps: UsageDeps): UsageRecorder {
  return new BatchedUsageRecorder(deps);
}

/**
 * Collects counts in memory and adds them to the store within 250 ms, and on a clean stop. A killed
 * process loses its unwritten counts. If the store fails after writing, the same counts are added
 * again. Quotas do not depend on these counts.
 */
class BatchedUsageRecorder implements UsageRecorder {
  readonly #deps: UsageDeps & { keepDays: number };
  readonly #batcher: Batcher<UsageCount>;
  /** Counts in the next batch, keyed by hour, key, status and endpoint. */
  readonly #open = new Map<string, UsageCount>();
  #unwritten = 0;
  #dropped = 0;
  #prunedAtMs = -Infinity;

  constructor(deps: UsageDeps) {
    const { clock, log, health } = deps;
    this.#deps = { keepDays: KEEP_DAYS, ...deps };
    this.#batcher = new Batcher({
      clock,
      health,
      run: (counts) => this.#write(counts),
      maxSize: Infinity,
      maxWaitMs: WRITE_DELAY_MS,
      retry: RETRY_MS,
      onError: (failure) =>
        log.warn(
          { event: 'usage.write_failed', ...failure },
          'usage could not be written, retrying',
        ),
    });
  }

  record({
    keyId,
    customerId,
    endpoint,
    status,
    now,
  }: Parameters<UsageRecorder['record']>[0]): void {
    const hour = Math.floor(now / HOUR_MS);
    const id = `${hour} ${keyId} ${status} ${endpoint}`;
    const openCount = this.#open.get(id);
    if (openCount !== undefined) {
      openCount.requests += 1;
    } else if (this.#unwritten >= UNWRITTEN_MAX) {
      this.#dropped += 1;
    } else {
      const hourAt = hour * HOUR_MS;
      const count = { customerId, keyId, endpoint, status, hourAt, requests: 1 };
      this.#open.set(id, count);
      this.#unwritten += 1;
      this.#batcher.push(count);
    }
  }

  stop(): Promise<void> {
    return this.#batcher.stop();
  }

  async #write(counts: readonly UsageCount[]): Promise<void> {
    const { db, log } = this.#deps;
    // Starts new counts, because those in a running batch must not change.
    this.#open.clear();
    await addUsage(db, counts);
    this.#unwritten -= counts.length;
    if (this.#dropped > 0) {
      log.warn(
        { event: 'usage.dropped', requests: this.#dropped },
        'usage was dropped because too many counts were unwritten',
      );
    }
    this.#dropped = 0;
    await this.#pruneHourly();
  }

  async #pruneHourly(): Promise<void> {
    const { db, clock, log, keepDays } = this.#deps;
    if (clock.monotonicMs() - this.#prunedAtMs < HOUR_MS) return;
    this.#prunedAtMs = clock.monotonicMs();
    await pruneUsage(db, clock.now() - keepDays * DAY_MS).catch((err: unknown) => {
      log.warn(
        { event: 'usage.write_failed', err },
        'old usage could not be deleted, retrying later',
      );
    });
  }
}
