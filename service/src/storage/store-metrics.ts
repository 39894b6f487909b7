import type { Metrics } from '../platform/metrics.ts';
import type { Queryable } from './db.ts';

/** How large the store is, and how far its upkeep lies behind; nothing while it is away. */
export function showStore(metrics: Metrics, db: Queryable): void {
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
      help: 'Transactions since the oldest that is not settled by VACUUM; at 2^31 rows are lost.',
    },
    // One row, by the name of the database.
    () =>
      read(`select age(datfrozenxid) as value from pg_database where datname = current_database()`),
  );
}
