import { type CheckCompute, computeCheck } from '../http/compute-limit.ts';
import { ComputeBudget } from '../metering/compute-budget.ts';
import { FairQueue } from '../platform/fair-queue.ts';
import type { AppContext } from './context.ts';

/** Computes the responses of this process that no cache has, shared fairly among customers. */
interface Computations {
  queue: FairQueue;
  checkCompute: CheckCompute;
}

/**
 * The embedded store has one connection, so a second computation would only wait inside the store.
 * PostgreSQL has several, but one customer never takes up all of them.
 */
const PLACES = {
  pglite: { concurrency: 1, perKeyMax: 1 },
  postgres: { concurrency: 4, perKeyMax: 2 },
} as const;

export function openComputations(app: Pick<AppContext, 'db' | 'clock' | 'metrics'>): Computations {
  const { db, clock, metrics } = app;
  const budget = new ComputeBudget(clock);
  let usedMs = 0;
  const onUsed = (customerId: string, ms: number): void => {
    usedMs += ms;
    budget.charge(customerId, ms);
  };
  const queue = new FairQueue({ clock, ...PLACES[db.engine], onUsed });
  const checkCompute = computeCheck(budget, clock);
  let refused = 0;
  metrics.computations({ queue, usedMs: () => usedMs, refused: () => refused });
  return {
    queue,
    checkCompute(customer) {
      const refusal = checkCompute(customer);
      if (refusal !== null) refused += 1;
      return refusal;
    },
  };
}
