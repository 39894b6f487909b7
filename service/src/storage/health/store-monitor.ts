import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Queryable } from '../db.ts';
import { StoreUnavailableError } from '../errors.ts';

/** In trouble too: a balancer sends nothing here until a look has found that it is over. */
const CHECK_INTERVAL_MS = 2_000;
/** The embedded store answers one after the other: a question may wait for a long transaction. */
const TIMEOUT_MS = 20_000;

/** Whether the store answers, as of the last look at it. */
export interface StoreMonitor {
  isHealthy(): boolean;
  stop(): void;
}

/** Asks the store something small every two seconds, whether it answers or not. */
export function monitorStore(deps: { db: Queryable; clock: Clock; log: Log }): StoreMonitor {
  const { db, clock, log } = deps;
  const backoff = createBackoff({
    clock,
    minMs: CHECK_INTERVAL_MS,
    maxMs: CHECK_INTERVAL_MS,
    log: (facts) => log.error(facts, 'The store does not answer: not ready.'),
  });
  let isHealthy = true;
  let isStopped = false;
  let timer: Timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());

  async function check(): Promise<void> {
    try {
      await probe();
      if (!isHealthy) log.info({}, 'The store answers again.');
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
      const limit = clock.setTimer(TIMEOUT_MS, () =>
        reject(new StoreUnavailableError(`The store gave no answer in ${TIMEOUT_MS / 1_000} s.`)),
      );
      // One row of nothing; no table is looked at.
      db.query('select 1')
        .then(() => resolve(), reject)
        .finally(() => limit.cancel());
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
