import type { Metrics } from '../../platform/metrics.ts';
import type { Queryable } from '../db.ts';
import { loadSnapshotHolder } from './snapshot-holder.ts';

/**
 * Registers metrics for the size of the store, the age of its oldest transaction and the age of the
 * oldest snapshot. They are absent while the store is unavailable.
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
  registerSnapshotMetrics(metrics, db);
}

/** Both are zero without a snapshot. */
function registerSnapshotMetrics(metrics: Metrics, db: Queryable): void {
  async function read(name: 'ageSeconds' | 'transactions'): Promise<{ value: number }[]> {
    try {
      return [{ value: (await loadSnapshotHolder(db))?.[name] ?? 0 }];
    } catch {
      return [];
    }
  }
  metrics.gauge(
    {
      name: 'afterbell_store_snapshot_seconds',
      help: 'Age of the transaction with the oldest snapshot, in seconds; zero for a slot or standby.',
    },
    () => read('ageSeconds'),
  );
  metrics.gauge(
    {
      name: 'afterbell_store_snapshot_transactions',
      help: 'Age of the oldest snapshot, in transactions; VACUUM removes no rows that died since.',
    },
    () => read('transactions'),
  );
}
