import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Db } from '../db.ts';
import { isStoreTrouble } from '../errors.ts';
import { forward } from '../forward.ts';

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Measures the duration of every query and transaction on a store. */
export function instrumentDb(db: Db, metrics: Metrics, clock: Clock): Db {
  const seconds = metrics.histogram({
    name: 'afterbell_store_seconds',
    help: 'Duration of store calls, including the wait for a connection; kind is query or transaction.',
    labels: ['kind'],
    boundsSeconds: BOUNDS_SECONDS,
  });
  const outages = metrics.counter({
    name: 'afterbell_store_outages_total',
    help: 'Store calls that failed because the store was unavailable.',
  });

  async function timed<T>(kind: string, call: () => Promise<T>): Promise<T> {
    const startedMs = clock.monotonicMs();
    try {
      return await call();
    } catch (error) {
      if (isStoreTrouble(error)) outages.inc();
      throw error;
    } finally {
      seconds.observe((clock.monotonicMs() - startedMs) / 1_000, { kind });
    }
  }

  return forward(db, {
    query: (...args) => timed('query', () => db.query(...args)),
    transaction: (...args) => timed('transaction', () => db.transaction(...args)),
  });
}
