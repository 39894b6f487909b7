import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createBackoff } from '../../platform/backoff.ts';
import type { Queryable } from '../db.ts';
import { StoreUnavailableError } from '../errors.ts';

/** In trouble too: a balancer sends nothing here until a look has found that it is over. */
const LOOK_MS = 2_000;
/** The embedded store answers one after the other: a question may wait for a long transaction. */
const LIMIT_MS = 20_000;

/** Whether the store answers, as of the last look at it. */
export interface StoreWatch {
  isWell(): boolean;
  stop(): void;
}

/** Asks the store something small every two seconds, whether it answers or not. */
export function watchStore(deps: { db: Queryable; clock: Clock; log: Log }): StoreWatch {
  const { db, clock, log } = deps;
  const trouble = createBackoff({
    clock,
    minMs: LOOK_MS,
    maxMs: LOOK_MS,
    log: (facts) => log.error(facts, 'The store does not answer: not ready.'),
  });
  let isWell = true;
  let isStopped = false;
  let timer: Timer = clock.setTimer(LOOK_MS, () => void look());

  async function look(): Promise<void> {
    try {
      await answered();
      if (!isWell) log.info({}, 'The store answers again.');
      isWell = true;
      trouble.succeeded();
    } catch (error) {
      isWell = false;
      if (!isStopped) trouble.failed(error);
    }
    if (!isStopped) timer = clock.setTimer(LOOK_MS, () => void look());
  }

  function answered(): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = clock.setTimer(LIMIT_MS, () =>
        reject(new StoreUnavailableError(`The store gave no answer in ${LIMIT_MS / 1_000} s.`)),
      );
      // One row of nothing; no table is looked at.
      db.query('select 1')
        .then(() => resolve(), reject)
        .finally(() => limit.cancel());
    });
  }

  return {
    isWell: () => isWell,
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}
