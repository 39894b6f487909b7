import { type Backoff, createBackoff } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Db, Queryable, Row, SqlValue } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';

const CHECK_INTERVAL_MS = 1_000;
const CHECK_INTERVAL_MS_MAX = 10_000;

/**
 * Reads that may be slightly stale. They use the replica while its lag is small, and the primary
 * otherwise.
 */
export interface ReplicaReads extends Queryable {
  /**
   * Returns an upper bound for the replication lag in milliseconds, or null while it is unknown.
   */
  lagMs(): number | null;
  isUsed(): boolean;
  stop(): Promise<void>;
}

interface ReplicaReadsDeps {
  primary: Db;
  replica: Db;
  clock: Clock;
  log: Log;
  lagMsMax: number;
  onCheck?(replica: Queryable): Promise<void>;
  onUnused?(): void;
}

/**
 * Measures the replication lag with a row that the primary stamps with its own clock every second.
 * No two clocks are compared, and a replica that is cut off from its primary is treated as lagging.
 * The lag increases between checks, so a check that hangs also stops reads from the replica.
 *
 * Calls `onCheck` before the replica is first used and then every second, and `onUnused` when reads
 * return to the primary.
 */
export function startReplicaReads(deps: ReplicaReadsDeps): ReplicaReads {
  return new MonitoredReplica(deps);
}

class MonitoredReplica implements ReplicaReads {
  readonly #deps: ReplicaReadsDeps;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The lag as last measured, and the time of the measurement on the monotonic clock. */
  #measured: { lagMs: number; atMs: number } | null = null;
  #isUsed = false;

  constructor(deps: ReplicaReadsDeps) {
    this.#deps = deps;
    this.#backoff = createBackoff({
      clock: deps.clock,
      minMs: CHECK_INTERVAL_MS,
      maxMs: CHECK_INTERVAL_MS_MAX,
      log: (fields) =>
        deps.log.warn(
          { ...fields, event: 'replica.unavailable' },
          'replica is unavailable, reading from the primary',
        ),
    });
    this.#running = this.#run();
  }

  async query<T extends Row = Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    const { primary, replica } = this.#deps;
    if (this.#isUsed && !this.#isWithinLag()) this.#stopUsing('lag');
    if (!this.#isUsed) return primary.query<T>(sql, params);
    try {
      return await replica.query<T>(sql, params);
    } catch (error) {
      // Either the replica is down, or it canceled the read because replication has priority.
      if (error instanceof StoreUnavailableError) this.#stopUsing('unavailable');
      return primary.query<T>(sql, params);
    }
  }

  lagMs(): number | null {
    const measured = this.#measured;
    if (measured === null) return null;
    return measured.lagMs + (this.#deps.clock.monotonicMs() - measured.atMs);
  }

  isUsed(): boolean {
    return this.#isUsed && this.#isWithinLag();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let delayMs = CHECK_INTERVAL_MS;
      try {
        await this.#check();
        this.#backoff.succeeded();
      } catch (error) {
        delayMs = this.#backoff.failed(error);
        this.#stopUsing('check failed');
      }
      await this.#deps.clock.sleep(delayMs, signal);
    }
  }

  async #check(): Promise<void> {
    const { primary, replica, clock, log, onCheck } = this.#deps;
    // Returns one row: the newest replicated stamp.
    const [replicated] = await replica.query<{ at: number }>(
      'select beat_at as at from replica_beat where is_only',
    );
    const atMs = clock.monotonicMs();
    // Returns one row: the new stamp.
    const [written] = await primary.query<{ at: number }>(
      `insert into replica_beat (is_only, beat_at) values (true, clock_timestamp())
       on conflict (is_only) do update set beat_at = excluded.beat_at
       returning beat_at as at`,
    );
    this.#measured =
      replicated === undefined || written === undefined
        ? null
        : { lagMs: Math.max(0, written.at - replicated.at), atMs };
    if (!this.#isWithinLag()) return this.#stopUsing('lag');
    await onCheck?.(replica);
    if (!this.#isUsed) {
      log.info({ event: 'replica.used', lagMs: this.lagMs() }, 'reading from the replica');
    }
    this.#isUsed = true;
  }

  #stopUsing(reason: string): void {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    this.#deps.log.warn(
      { event: 'replica.skipped', reason, lagMs: this.lagMs() },
      'replica is skipped, reading from the primary',
    );
    this.#deps.onUnused?.();
  }

  #isWithinLag(): boolean {
    const lagMs = this.lagMs();
    return lagMs !== null && lagMs <= this.#deps.lagMsMax;
  }
}
