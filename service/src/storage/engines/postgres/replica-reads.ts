import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createBackoff } from '../../../platform/backoff.ts';
import type { Db, Queryable, Row, SqlValue } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';

const CHECK_INTERVAL_MS = 1_000;
const CHECK_INTERVAL_MS_MAX = 10_000;

/** Reads that may be a little old: of a replica while it keeps up, else of the primary. */
export interface ReplicaReads extends Queryable {
  /** How old what the replica has is at most, in milliseconds; null while that is not known. */
  lagMs(): number | null;
  /** Whether reads go to the replica now. */
  isUsed(): boolean;
  stop(): Promise<void>;
}

/**
 * Measures how far the replica is behind by a row that the primary stamps with its own clock each
 * second: no two clocks are compared, and a replica that is cut off from its primary shows it as one
 * that is slow. Between looks the age is counted on, so that a look that hangs ends the use too.
 *
 * `onLook` runs before the replica is used, and each second while it is; `onLeft` when it no longer is.
 */
export function startReplicaReads(deps: {
  primary: Db;
  replica: Db;
  clock: Clock;
  log: Log;
  lagMsMax: number;
  onCheck?(replica: Queryable): Promise<void>;
  onUnused?(): void;
}): ReplicaReads {
  const { primary, replica, clock, log, lagMsMax } = deps;
  const stopping = new AbortController();
  /** What the replica had, in milliseconds of age, at a moment of the monotonic clock. */
  let measured: { lagMs: number; atMs: number } | null = null;
  let isUsed = false;
  const backoff = createBackoff({
    clock,
    minMs: CHECK_INTERVAL_MS,
    maxMs: CHECK_INTERVAL_MS_MAX,
    log: (facts) => log.warn(facts, 'The replica cannot be read: reads go to the primary.'),
  });
  const running = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = CHECK_INTERVAL_MS;
      try {
        await check();
        backoff.succeeded();
      } catch (error) {
        waitMs = backoff.failed(error);
        stopUsing('it failed');
      }
      await clock.sleep(waitMs, stopping.signal);
    }
  }

  async function check(): Promise<void> {
    // One row, by the primary key: the newest sign that has arrived.
    const [replicated] = await replica.query<{ at: number }>(
      'select beat_at as at from replica_beat where is_only',
    );
    const atMs = clock.monotonicMs();
    // The one row with a new stamp, by the primary key.
    const [written] = await primary.query<{ at: number }>(
      `insert into replica_beat (is_only, beat_at) values (true, clock_timestamp())
       on conflict (is_only) do update set beat_at = excluded.beat_at
       returning beat_at as at`,
    );
    measured =
      replicated === undefined || written === undefined
        ? null
        : { lagMs: Math.max(0, written.at - replicated.at), atMs };
    if (!isWithinLag()) return stopUsing('it lags');
    await deps.onCheck?.(replica);
    if (!isUsed) log.info({ lagMs: lagMs() }, 'Reads go to the replica.');
    isUsed = true;
  }

  function stopUsing(reason: string): void {
    if (!isUsed) return;
    isUsed = false;
    log.warn({ reason, lagMs: lagMs() }, 'The replica is left alone: reads go to the primary.');
    deps.onUnused?.();
  }

  function lagMs(): number | null {
    return measured === null ? null : measured.lagMs + (clock.monotonicMs() - measured.atMs);
  }

  function isWithinLag(): boolean {
    const lag = lagMs();
    return lag !== null && lag <= lagMsMax;
  }

  async function query<T extends Row = Row>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<T[]> {
    if (isUsed && !isWithinLag()) stopUsing('it lags');
    if (!isUsed) return primary.query<T>(sql, params);
    try {
      return await replica.query<T>(sql, params);
    } catch (error) {
      // Away, or it ended the read in favour of what it has to take in: the primary can answer.
      if (error instanceof StoreUnavailableError) stopUsing('it is away');
      return primary.query<T>(sql, params);
    }
  }

  return {
    query,
    lagMs,
    isUsed: () => isUsed && isWithinLag(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
