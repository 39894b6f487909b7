import type { PendingRule } from '../../src/webhooks/queue/open-deliveries.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import type { RunningQuotaMeter } from '../../src/metering/quota-meter.ts';
import type { Db, Queryable, Transaction } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';
import { silentLog } from '../support/logs.ts';
import type { SimulatedProcess } from './world/process.ts';

/**
 * Faults that a simulation must find. Each is planted from outside, in what a part of the service is
 * given to work with: the service itself has no switch for it.
 */
export type PlantedBug = 'no-supersede' | 'no-fence' | 'quota-by-clock';

export const PLANTED_BUGS: readonly PlantedBug[] = ['no-supersede', 'no-fence', 'quota-by-clock'];

/** A change joins whatever waits, known to the receiver or not. */
export const joinAlways: PendingRule = (waiting) =>
  waiting === null ? { kind: 'open' } : { kind: 'absorb', id: waiting.id };

/** What is asked of a delivery before and while it is ended: that this process holds it. */
const FENCES = [' and d.claim_token = c.token', ' and d.claim_token = r.token'];

/** The store for a worker that ends deliveries whoever holds them by now. */
export function withoutFence(db: Db): Db {
  const lax = <T extends Queryable>(target: T): Queryable['query'] => {
    return (sql, params) => {
      const unfenced = FENCES.reduce((text, fence) => text.replace(fence, ''), sql);
      return target.query(unfenced, params);
    };
  };
  return forward(db, {
    query: lax(db),
    transaction: (work, options) =>
      db.transaction((tx) => {
        const laxTx: Transaction = {
          __transaction: true,
          query: lax(tx),
          copy: (into, lines) => tx.copy(into, lines),
        };
        return work(laxTx);
      }, options),
  });
}

/** A meter that begins at zero whenever the clock shows another day than before, earlier ones too. */
export function resetByClock(
  meter: RunningQuotaMeter,
  { clock }: SimulatedProcess,
): RunningQuotaMeter {
  const empty = { query: () => Promise.resolve([]) };
  let current: RunningQuotaMeter = meter;
  let day = dayOf(clock.now());
  return {
    async consume(request) {
      if (dayOf(clock.now()) !== day) {
        day = dayOf(clock.now());
        current = await startLocalMeter({ db: empty, clock, log: silentLog });
      }
      return current.consume(request);
    },
    refresh: () => current.refresh(),
    stop: () => meter.stop(),
  };
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}
