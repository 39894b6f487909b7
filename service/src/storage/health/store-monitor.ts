import { createBackoff } from '../../platform/backoff.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Queryable } from '../db.ts';
import { StoreUnavailableError } from '../errors.ts';

/**
 * The interval is the same while the store is down, because load balancers send no traffic until a
 * health check succeeds.
 */
const CHECK_INTERVAL_MS = 2_000;
/**
 * The embedded store runs one call at a time, so a health check may wait for a long transaction.
 */
const TIMEOUT_MS = 20_000;

export interface StoreMonitor {
  /** Returns the result of the last check. */
  isHealthy(): boolean;
  stop(): void;
}

/** Probes the store every two seconds, whether or not it is healthy. */
export function monitorStore(deps: { db: Queryable; clock: Clock; log: Log }): StoreMonitor {
  const { db, clock, log } = deps;
  const backoff = createBackoff({
    clock,
    minMs: CHECK_INTERVAL_MS,
    maxMs: CHECK_INTERVAL_MS,
    log: (fields) =>
      log.error({ ...fields, event: 'store.unavailable' }, 'store is unavailable, not ready'),
  });
  let isHealthy = true;
  let isStopped = false;
  let timer: Timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());

  async function check(): Promise<void> {
    try {
      await probe();
      if (!isHealthy) log.info({ event: 'store.recovered' }, 'store is available again');
      isHealthy = true;
      backoff.succeeded();
    } catch (error) {
      isHealthy = false;
      if (!isStopped) backoff.failed(error);
    }
    if (!isStopped) timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());
  }

  function probe(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timeout = clock.setTimer(TIMEOUT_MS, () =>
        reject(new StoreUnavailableError(`The store timed out after ${TIMEOUT_MS / 1_000} s.`)),
      );
      // Returns one row and reads no table.
      db.query('select 1')
        .then(() => resolve(), reject)
        .finally(() => timeout.cancel());
    });
  }

  return {
    isHealthy: () => isHealthy,
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}
