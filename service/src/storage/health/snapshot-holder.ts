import type { Queryable, Row } from '../db.ts';

/** A session, transaction or slot whose snapshot keeps VACUUM from removing dead rows. */
export interface SnapshotHolder {
  kind: 'session' | 'standby' | 'prepared transaction' | 'replication slot';
  /** Process ID of a session or standby, otherwise the name of the transaction or slot. */
  name: string;
  /** `application_name`; empty if it is not set or not a session. */
  application: string;
  user: string;
  /** State of a session, such as `idle in transaction`; empty for the other kinds. */
  state: string;
  /** Age of its transaction in seconds; null for standbys and slots. */
  ageSeconds: number | null;
  /** Number of transactions that have started since. */
  transactions: number;
}

/**
 * Returns the holder of the oldest snapshot other than this session, or null if there is none. Sees
 * sessions of other roles only with the right `pg_read_all_stats`.
 */
export async function loadSnapshotHolder(db: Queryable): Promise<SnapshotHolder | null> {
  // Returns at most one row, from system views. VACUUM does not wait for its own workers, nor for
  // sessions of other databases.
  const [row] = await db.query<SnapshotHolder & Row>(
    `select * from (
       select case when backend_type = 'walsender' then 'standby' else 'session' end as kind,
              pid::text as name, coalesce(application_name, '') as application,
              coalesce(usename::text, '') as user, coalesce(state, '') as state,
              extract(epoch from clock_timestamp() - xact_start)::float8 as "ageSeconds",
              greatest(age(backend_xmin), age(backend_xid))::float8 as transactions
         from pg_stat_activity
        where coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid()
          and backend_type <> 'autovacuum worker'
          and (datname = current_database() or backend_type = 'walsender')
       union all
       select 'prepared transaction', gid, '', owner::text, '',
              extract(epoch from clock_timestamp() - prepared)::float8, age(transaction)::float8
         from pg_prepared_xacts where database = current_database()
       union all
       select 'replication slot', slot_name::text, '', '', '', null, age(xmin)::float8
         from pg_replication_slots where xmin is not null) as holder
      order by transactions desc, "ageSeconds" desc nulls last limit 1`,
  );
  return row ?? null;
}

/** Age above which a snapshot needs attention. A backup of a large store takes some minutes. */
const AGE_SECONDS_MAX = 1_800;
const TRANSACTIONS_MAX = 5_000_000;

export function isHeldTooLong({ ageSeconds, transactions }: SnapshotHolder): boolean {
  return (ageSeconds ?? 0) > AGE_SECONDS_MAX || transactions > TRANSACTIONS_MAX;
}

/** Returns what ends the snapshot, as an instruction. */
export function fixForHolder({ kind, name }: SnapshotHolder): string {
  const literal = `'${name.replaceAll("'", "''")}'`;
  if (kind === 'session') return `end the session: select pg_terminate_backend(${name})`;
  if (kind === 'prepared transaction') return `finish it: rollback prepared ${literal}`;
  if (kind === 'replication slot') {
    return `if no standby needs the slot, drop it: select pg_drop_replication_slot(${literal})`;
  }
  return 'end long queries on the standby, or turn off its hot_standby_feedback';
}

/** Returns the holder in words, such as `session 4711 (psql, idle in transaction)`. */
export function describeHolder({ kind, name, application, user, state }: SnapshotHolder): string {
  const details = [application, user === '' ? '' : `user ${user}`, state].filter(Boolean);
  return `${kind} ${name}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}
