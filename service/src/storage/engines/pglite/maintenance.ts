import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createBackoff } from '../../../platform/backoff.ts';
import type { Db } from '../../db.ts';
import {
  isCheckpointDue,
  nextTableToVacuum,
  advanceTemplateAge,
  MAINTENANCE_LIMITS,
  type MaintenanceLimits,
} from './maintenance-queries.ts';

const CHECK_INTERVAL_MS = 10_000;
const CHECK_INTERVAL_MS_MAX = 10 * 60_000;
/** After a VACUUM the connection is left to others for so many times as long as it took. */
const PAUSE_FACTOR = 50;
const PAUSE_MS_MAX = 10 * 60_000;
/** One that failed is not tried again before; the others have their turn. */
const RETRY_MS = 60 * 60_000;

/**
 * Does for the embedded store what processes of their own do in a server, and nobody does in PGlite:
 * checkpoints, without which the log grows for ever and a start after a kill reads all of it, and
 * VACUUM, without which the room of dead rows is never used again and the engine refuses all writes
 * after 2^31 transactions.
 *
 * Every ten seconds at most one statement, on one table, since everybody else waits for it. Rows are
 * frozen as they are met, so that no table ever has to be frozen at once. ANALYZE is left out: plans
 * are made without statistics here. What fails is said once a minute and tried again ever later.
 * The reasons are in docs/adr/0012-upkeep-of-the-embedded-store.md.
 */
export function startPgliteMaintenance(deps: {
  db: Pick<Db, 'query' | 'execute'>;
  clock: Clock;
  log?: Pick<Log, 'debug' | 'warn'> | undefined;
  limits?: MaintenanceLimits | undefined;
}): { stop(): void } {
  const { db, clock, log, limits = MAINTENANCE_LIMITS } = deps;
  const backoff = createBackoff({
    clock,
    minMs: CHECK_INTERVAL_MS,
    maxMs: CHECK_INTERVAL_MS_MAX,
    log: (facts) => log?.warn(facts, 'The upkeep of the embedded store failed.'),
  });
  /** When a table that refused may be tried again, by oid. */
  const retryAtMsByTable = new Map<number, number>();
  let vacuumAllowedAtMs = 0;
  let isStopped = false;
  let timer: Timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());

  async function check(): Promise<void> {
    let waitMs = CHECK_INTERVAL_MS;
    try {
      await doNext();
      backoff.succeeded();
    } catch (error) {
      if (!isStopped) waitMs = backoff.failed(error);
    }
    if (!isStopped) timer = clock.setTimer(waitMs, () => void check());
  }

  async function doNext(): Promise<void> {
    if (await isCheckpointDue(db, limits)) {
      if (!isStopped) await timed('checkpoint');
    } else if (clock.monotonicMs() >= vacuumAllowedAtMs && !isStopped) await vacuumNext();
  }

  async function vacuumNext(): Promise<void> {
    for (const [oid, atMs] of retryAtMsByTable)
      if (atMs <= clock.monotonicMs()) retryAtMsByTable.delete(oid);
    const table = await nextTableToVacuum(db, limits, [...retryAtMsByTable.keys()]);
    if (isStopped) return;
    if (table === null) return advanceTemplateAge(db, limits);
    try {
      const tookMs = await timed(`vacuum (freeze) ${table.name}`);
      vacuumAllowedAtMs = clock.monotonicMs() + Math.min(tookMs * PAUSE_FACTOR, PAUSE_MS_MAX);
    } catch (error) {
      retryAtMsByTable.set(table.oid, clock.monotonicMs() + RETRY_MS);
      throw error;
    }
  }

  /** Runs one statement, which must stand alone: VACUUM refuses a transaction. */
  async function timed(statement: string): Promise<number> {
    const startedMs = clock.monotonicMs();
    await db.execute(statement);
    const tookMs = clock.monotonicMs() - startedMs;
    log?.debug({ statement, tookMs: Math.round(tookMs) }, 'kept the embedded store tidy');
    return tookMs;
  }

  return {
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}
