import type { Metrics } from '../../platform/metrics.ts';
import type { Queryable } from '../db.ts';

/**
 * Registers the size of the store and the age of its oldest transaction. Both are absent while the
 * store is unavailable.
 */
export function registerStoreMetrics(metrics: Metrics, db: Queryable): void {
  async function read(sql: string): Promise<{ value: number }[]> {
    return db.query<{ value: number }>(sql).catch(() => []);
  }
  metrics.gauge(
    {
      name: 'afterbell_store_bytes',
      help: 'What the store takes on its disk, indexes included, its log not.',
    },
    // Returns one row, from file sizes.
    () => read('select pg_database_size(current_database()) as value'),
  );
  metrics.gauge(
    {
      name: 'afterbell_store_transaction_age',
      help: 'Transactions since the oldest that VACUUM has not settled; at 2^31 writes are refused.',
    },
    // Returns one row for all databases of the server, because one old database stops the writes of
    // all.
    () => read('select max(age(datfrozenxid)) as value from pg_database'),
  );
}
