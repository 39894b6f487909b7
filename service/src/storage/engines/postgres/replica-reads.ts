import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createBackoff } from '../../../platform/backoff.ts';
import type { Db, Queryable, Row, SqlValue } from '../../db.ts';
import { StoreUnavailableError } from '../../errors.ts';

const LOOK_MS = 1_000;
const LOOK_MS_MAX = 10_000;

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
export function openReplicaReads(deps: {
  primary: Db;
  replica: Db;
  clock: Clock;
  log: Log;
  lagMsMax: number;
  onLook?(replica: Queryable): Promise<void>;
  onLeft?(): void;
}): ReplicaReads {
  const { primary, replica, clock, log, lagMsMax } = deps;
  const stopping = new AbortController();
  /** What the replica had, in milliseconds of age, at a moment of the monotonic clock. */
  let measured: { lagMs: number; atMs: number } | null = null;
  let isUsed = false;
  const trouble = createBackoff({
    clock,
    minMs: LOOK_MS,
    maxMs: LOOK_MS_MAX,
    log: (facts) => log.warn(facts, 'The replica cannot be read: reads go to the primary.'),
  });
  const looking = loop();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = LOOK_MS;
      try {
        await look();
        trouble.succeeded();
      } catch (error) {
        waitMs = trouble.failed(error);
        leave('it failed');
      }
      await clock.sleep(waitMs, stopping.signal);
    }
  }

  async function look(): Promise<void> {
    // One row, by the primary key: the newest sign that has arrived.
    const [arrived] = await replica.query<{ at: number }>(
      'select beat_at as at from replica_beat where is_only',
    );
    const atMs = clock.monotonicMs();
    // The one row with a new stamp, by the primary key.
    const [sent] = await primary.query<{ at: number }>(
      `insert into replica_beat (is_only, beat_at) values (true, clock_timestamp())
       on conflict (is_only) do update set beat_at = excluded.beat_at
       returning beat_at as at`,
    );
    measured =
      arrived === undefined || sent === undefined
        ? null
        : { lagMs: Math.max(0, sent.at - arrived.at), atMs };
    if (!keepsUp()) return leave('it lags');
    await deps.onLook?.(replica);
    if (!isUsed) log.info({ lagMs: lagMs() }, 'Reads go to the replica.');
    isUsed = true;
  }

  function leave(reason: string): void {
    if (!isUsed) return;
    isUsed = false;
    log.warn({ reason, lagMs: lagMs() }, 'The replica is left alone: reads go to the primary.');
    deps.onLeft?.();
  }

  function lagMs(): number | null {
    return measured === null ? null : measured.lagMs + (clock.monotonicMs() - measured.atMs);
  }

  function keepsUp(): boolean {
    const lag = lagMs();
    return lag !== null && lag <= lagMsMax;
  }

  async function query<T extends Row = Row>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<T[]> {
    if (isUsed && !keepsUp()) leave('it lags');
    if (!isUsed) return primary.query<T>(sql, params);
    try {
      return await replica.query<T>(sql, params);
    } catch (error) {
      // Away, or it ended the read in favour of what it has to take in: the primary can answer.
      if (error instanceof StoreUnavailableError) leave('it is away');
      return primary.query<T>(sql, params);
    }
  }

  return {
    query,
    lagMs,
    isUsed: () => isUsed && keepsUp(),
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
