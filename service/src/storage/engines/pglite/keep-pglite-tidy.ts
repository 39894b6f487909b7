import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createBackoff } from '../../../platform/backoff.ts';
import type { Db } from '../../db.ts';
import {
  isLogLong,
  neediestTable,
  settleTemplates,
  UPKEEP_LIMITS,
  type UpkeepLimits,
} from './pglite-upkeep.ts';

const LOOK_MS = 10_000;
const LOOK_MS_MAX = 10 * 60_000;
/** After a VACUUM the connection is left to others for so many times as long as it took. */
const REST_FACTOR = 50;
const REST_MS_MAX = 10 * 60_000;
/** One that failed is not tried again before; the others have their turn. */
const AGAIN_MS = 60 * 60_000;

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
export function keepPgliteTidy(deps: {
  db: Pick<Db, 'query' | 'execute'>;
  clock: Clock;
  log?: Pick<Log, 'debug' | 'warn'> | undefined;
  limits?: UpkeepLimits | undefined;
}): { stop(): void } {
  const { db, clock, log, limits = UPKEEP_LIMITS } = deps;
  const trouble = createBackoff({
    clock,
    minMs: LOOK_MS,
    maxMs: LOOK_MS_MAX,
    log: (facts) => log?.warn(facts, 'The upkeep of the embedded store failed.'),
  });
  /** When a table that refused may be tried again, by oid. */
  const putOff = new Map<number, number>();
  let restsUntilMs = 0;
  let isStopped = false;
  let timer: Timer = clock.setTimer(LOOK_MS, () => void look());

  async function look(): Promise<void> {
    let waitMs = LOOK_MS;
    try {
      await doNext();
      trouble.succeeded();
    } catch (error) {
      if (!isStopped) waitMs = trouble.failed(error);
    }
    if (!isStopped) timer = clock.setTimer(waitMs, () => void look());
  }

  async function doNext(): Promise<void> {
    if (await isLogLong(db, limits)) {
      if (!isStopped) await timed('checkpoint');
    } else if (clock.monotonicMs() >= restsUntilMs && !isStopped) await vacuumNext();
  }

  async function vacuumNext(): Promise<void> {
    for (const [oid, atMs] of putOff) if (atMs <= clock.monotonicMs()) putOff.delete(oid);
    const table = await neediestTable(db, limits, [...putOff.keys()]);
    if (isStopped) return;
    if (table === null) return settleTemplates(db, limits);
    try {
      const tookMs = await timed(`vacuum (freeze) ${table.name}`);
      restsUntilMs = clock.monotonicMs() + Math.min(tookMs * REST_FACTOR, REST_MS_MAX);
    } catch (error) {
      putOff.set(table.oid, clock.monotonicMs() + AGAIN_MS);
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
