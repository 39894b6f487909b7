import type { Queryable } from '../../db.ts';

/** From where on something of the embedded store is done; `UPKEEP_LIMITS` unless a test says else. */
export interface MaintenanceLimits {
  /** So much log at most is read again by a start after a kill: 1.6 s for 64 MiB, by 25 s for 1 GiB. */
  logBytes: number;
  /** Dead rows that are let lie in any table, and beside them a fifth of its rows. */
  deadRows: number;
  /** Rows added after which a table is looked through, so that no single look has many to freeze. */
  addedRows: number;
  /** Transactions since the oldest of a row that is not frozen; the engine refuses writes at 2^31. */
  age: number;
}

export const MAINTENANCE_LIMITS: MaintenanceLimits = {
  logBytes: 64 * 1024 * 1024,
  deadRows: 50,
  addedRows: 20_000,
  age: 10_000_000,
};

/** Whether more log lies behind the last checkpoint than a start should read again. */
export async function isCheckpointDue(
  db: Queryable,
  { logBytes }: MaintenanceLimits,
): Promise<boolean> {
  // One row, from the control file and the server's memory. What this connection counted is made
  // known to the statement that comes next.
  const [row] = await db.query<{ bytes: string }>(
    `select pg_stat_force_next_flush(), (pg_current_wal_lsn() - redo_lsn)::text as bytes
       from pg_control_checkpoint()`,
  );
  return Number(row?.bytes ?? 0) > logBytes;
}

/**
 * A table that needs a VACUUM, quoted as SQL wants it; null when none does. Those of `except` (oids)
 * are passed over. Counts are of this opening of the store, since PGlite does not keep them: what was
 * dead before is not known, so each table is due once, the largest first. Then it is whichever had its
 * turn longest ago, so that tables that are always busy keep none of the others waiting.
 */
export async function nextTableToVacuum(
  db: Queryable,
  limits: MaintenanceLimits,
  excludedOids: readonly number[],
): Promise<{ oid: number; name: string } | null> {
  // One row at most: a scan of the catalogue's hundred and some tables, which are all in memory.
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
 * Brings the templates that PGlite carries along up to the store's own age. Nobody ever writes to
 * them, so that no row of theirs is younger than their making, when all were frozen; but none of them
 * can be cleaned from here, and 2^31 transactions after it the engine would refuse writes for them.
 */
export async function advanceTemplateAge(db: Queryable, { age }: MaintenanceLimits): Promise<void> {
  // No rows; a scan of three rows, of which two are written once in so many transactions.
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
