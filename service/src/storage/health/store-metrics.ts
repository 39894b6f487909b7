import type { Metrics } from '../../platform/metrics.ts';
import type { Queryable } from '../db.ts';

/**
 * Registers metrics for the size of the store and the age of its oldest transaction. Both are
 * absent while the store is unavailable.
 */
export function registerStoreMetrics(metrics: Metrics, db: Queryable): void {
  async function read(sql: string): Promise<{ value: number }[]> {
    return db.query<{ value: number }>(sql).catch(() => []);
  }
  metrics.gauge(
    {
      name: 'afterbell_store_bytes',
      help: 'Size of the store on disk, including indexes but not the WAL.',
    },
    // Returns one row, from file sizes.
    () => read('select pg_database_size(current_database()) as value'),
  );
  metrics.gauge(
    {
      name: 'afterbell_store_transaction_age',
      help: 'Age of the oldest unfrozen transaction, in transactions; writes are refused at 2^31.',
    },
    // Returns one row for all databases on the server, because one old database stops writes to all
    // of them.
    () => read('select max(age(datfrozenxid)) as value from pg_database'),
  );
}
