import { type Backoff, createBackoff } from '../../../platform/backoff.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Db } from '../../db.ts';
import {
  advanceTemplateAge,
  isCheckpointDue,
  MAINTENANCE_LIMITS,
  type MaintenanceLimits,
  nextTableToVacuum,
} from './maintenance-queries.ts';

const CHECK_INTERVAL_MS = 10_000;
const CHECK_INTERVAL_MS_MAX = 10 * 60_000;
/** Pause after a VACUUM, as a multiple of its duration. */
const PAUSE_FACTOR = 50;
const PAUSE_MS_MAX = 10 * 60_000;
/** Time for which a table is skipped after its VACUUM failed. */
const RETRY_MS = 60 * 60_000;

interface MaintenanceDeps {
  db: Pick<Db, 'query' | 'execute'>;
  clock: Clock;
  log?: Pick<Log, 'debug' | 'warn'> | undefined;
  limits?: MaintenanceLimits | undefined;
}

/**
 * Runs the maintenance that a PostgreSQL server performs in background processes and PGlite
 * doesn't:
 *
 * - Checkpoints. Without them, the WAL grows forever and recovery after a kill reads all of it.
 * - VACUUM. Without it, the space of dead rows is never reused, and after 2^31 transactions the
 *   engine refuses all writes.
 *
 * At most one statement on one table runs every ten seconds, because all other calls wait for it.
 * VACUUM freezes every row it visits, so no table ever needs one long freeze. ANALYZE is left out,
 * because plans don't use statistics here. Failures are logged once a minute and retried with
 * backoff. See docs/adr/0012-embedded-store-maintenance.md.
 */
export function startPgliteMaintenance(deps: MaintenanceDeps): { stop(): void } {
  return new PgliteMaintenance(deps);
}

class PgliteMaintenance {
  readonly #deps: MaintenanceDeps;
  readonly #limits: MaintenanceLimits;
  readonly #backoff: Backoff;
  /** Earliest time to vacuum a table again after a failed VACUUM, by oid. */
  readonly #retryAtMsByTable = new Map<number, number>();
  #vacuumAllowedAtMs = 0;
  #isStopped = false;
  #timer: Timer;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? MAINTENANCE_LIMITS;
    this.#backoff = createBackoff({
      clock: deps.clock,
      minMs: CHECK_INTERVAL_MS,
      maxMs: CHECK_INTERVAL_MS_MAX,
      log: (fields) =>
        deps.log?.warn(
          { ...fields, event: 'store.maintenance_failed' },
          'maintenance of the embedded store failed',
        ),
    });
    this.#timer = this.#schedule(CHECK_INTERVAL_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer.cancel();
  }

  #schedule(delayMs: number): Timer {
    return this.#deps.clock.setTimer(delayMs, () => void this.#check());
  }

  async #check(): Promise<void> {
    let delayMs = CHECK_INTERVAL_MS;
    try {
      await this.#runNext();
      this.#backoff.succeeded();
    } catch (error) {
      if (!this.#isStopped) delayMs = this.#backoff.failed(error);
    }
    if (!this.#isStopped) this.#timer = this.#schedule(delayMs);
  }

  async #runNext(): Promise<void> {
    const { db, clock } = this.#deps;
    if (await isCheckpointDue(db, this.#limits)) {
      if (!this.#isStopped) await this.#execute('checkpoint');
    } else if (clock.monotonicMs() >= this.#vacuumAllowedAtMs && !this.#isStopped) {
      await this.#vacuumNext();
    }
  }

  async #vacuumNext(): Promise<void> {
    const { db, clock } = this.#deps;
    for (const [oid, retryAtMs] of this.#retryAtMsByTable) {
      if (retryAtMs <= clock.monotonicMs()) this.#retryAtMsByTable.delete(oid);
    }
    const table = await nextTableToVacuum(db, this.#limits, [...this.#retryAtMsByTable.keys()]);
    if (this.#isStopped) return;
    if (table === null) return advanceTemplateAge(db, this.#limits);
    try {
      const durationMs = await this.#execute(`vacuum (freeze) ${table.name}`);
      const pauseMs = Math.min(durationMs * PAUSE_FACTOR, PAUSE_MS_MAX);
      this.#vacuumAllowedAtMs = clock.monotonicMs() + pauseMs;
    } catch (error) {
      this.#retryAtMsByTable.set(table.oid, clock.monotonicMs() + RETRY_MS);
      throw error;
    }
  }

  /** Runs one statement outside a transaction, as VACUUM requires. Returns how long it took. */
  async #execute(statement: string): Promise<number> {
    const { db, clock, log } = this.#deps;
    const startedMs = clock.monotonicMs();
    await db.execute(statement);
    const durationMs = clock.monotonicMs() - startedMs;
    log?.debug(
      { event: 'store.maintenance', statement, durationMs: Math.round(durationMs) },
      'ran maintenance of the embedded store',
    );
    return durationMs;
  }
}
