import type { Queryable } from '../../db.ts';

/** Limits above which maintenance is due. Tests override `MAINTENANCE_LIMITS`. */
export interface MaintenanceLimits {
  /**
   * WAL size that recovery after a kill may have to read. Recovery takes 1.6 s for 64 MiB and 25 s
   * for 1 GiB.
   */
  logBytes: number;
  /** Number of dead rows allowed in any table, in addition to 20 % of its rows. */
  deadRows: number;
  /**
   * Number of inserted rows after which a VACUUM is due, so that no single VACUUM freezes too much
   * at once.
   */
  addedRows: number;
  /** Age of the oldest unfrozen row, in transactions. The engine refuses writes at 2^31. */
  age: number;
}

export const MAINTENANCE_LIMITS: MaintenanceLimits = {
  logBytes: 64 * 1024 * 1024,
  deadRows: 50,
  addedRows: 20_000,
  age: 10_000_000,
};

/** Returns true if the WAL written since the last checkpoint exceeds the limit for recovery. */
export async function isCheckpointDue(
  db: Queryable,
  { logBytes }: MaintenanceLimits,
): Promise<boolean> {
  // Returns one row, from the control file and shared memory. Flushes this connection's statistics
  // for the next statement.
  const [row] = await db.query<{ bytes: string }>(
    `select pg_stat_force_next_flush(), (pg_current_wal_lsn() - redo_lsn)::text as bytes
       from pg_control_checkpoint()`,
  );
  return Number(row?.bytes ?? 0) > logBytes;
}

/**
 * Returns the oid and quoted name of a table that needs a VACUUM, or null if no table does. Skips
 * the excluded oids. PGlite doesn't persist statistics, so dead rows from earlier runs are unknown
 * and every table is vacuumed once after opening, first those with the most known dead rows and
 * then the largest. After that, the table that was vacuumed least recently is next, so busy tables
 * don't starve the others.
 */
export async function nextTableToVacuum(
  db: Queryable,
  limits: MaintenanceLimits,
  excludedOids: readonly number[],
): Promise<{ oid: number; name: string } | null> {
  // Returns at most one row. Scans the catalog's hundred or so tables, all in memory.
  const [row] = await db.query<{ oid: number; name: string }>(
    `select oid, name
       from (select c.oid::int8 as oid, c.oid >= 16384 as is_ours,
                    format('%I.%I', n.nspname, c.relname) as name,
                    greatest(age(c.relfrozenxid), mxid_age(c.relminmxid),
                             age(t.relfrozenxid), mxid_age(t.relminmxid)) as age,
                    pg_stat_get_dead_tuples(c.oid) as dead,
                    pg_stat_get_ins_since_vacuum(c.oid) as added,
                    greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)) as live,
                    pg_stat_get_last_vacuum_time(c.oid) as cleaned_at,
                    pg_relation_size(c.oid) as size
               from pg_class c
               join pg_namespace n on n.oid = c.relnamespace
               left join pg_class t on t.oid = c.reltoastrelid
              where c.relkind in ('r', 'm') and c.relpersistence <> 't'
                and c.oid::int8 <> all($1::int8[])) as tables
      where age > $2 or dead > $3 + live / 5 or added > $4 or (cleaned_at is null and is_ours and size > 0)
      order by age > $2 desc, cleaned_at nulls first, dead desc, size desc
      limit 1`,
    [excludedOids, limits.age, limits.deadRows, limits.addedRows],
  );
  return row ?? null;
}

/**
 * Advances the age of PGlite's template databases to that of the store. The templates are never
 * written to, so all of their rows are frozen, but they cannot be vacuumed from here. Without this
 * update, the engine would refuse writes after 2^31 transactions.
 */
export async function advanceTemplateAge(db: Queryable, { age }: MaintenanceLimits): Promise<void> {
  // Returns no rows. Scans three rows and rarely writes two.
  await db.query(
    `update pg_database t
        set datfrozenxid = own.datfrozenxid, datminmxid = own.datminmxid
       from pg_database own
      where own.datname = current_database() and t.oid <> own.oid
        and greatest(age(t.datfrozenxid), mxid_age(t.datminmxid)) > $1
        and greatest(age(own.datfrozenxid), mxid_age(own.datminmxid)) <= $1`,
    [age],
  );
}
