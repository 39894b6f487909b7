import type { Metrics } from '../../platform/metrics.ts';
import type { Queryable } from '../db.ts';

/** How large the store is, and how far its upkeep lies behind; nothing while it is away. */
export function registerStoreMetrics(metrics: Metrics, db: Queryable): void {
  async function read(sql: string): Promise<{ value: number }[]> {
    return db.query<{ value: number }>(sql).catch(() => []);
  }
  metrics.gauge(
    {
      name: 'afterbell_store_bytes',
      help: 'What the store takes on its disk, indexes included, its log not.',
    },
    // One row, from the sizes of files.
    () => read('select pg_database_size(current_database()) as value'),
  );
  metrics.gauge(
    {
      name: 'afterbell_store_transaction_age',
      help: 'Transactions since the oldest that VACUUM has not settled; at 2^31 writes are refused.',
    },
    // One row, of all databases of the server: one that is behind stops the writes of all.
    () => read('select max(age(datfrozenxid)) as value from pg_database'),
  );
}
