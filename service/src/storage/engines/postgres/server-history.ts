import type { Db } from '../../db.ts';
import { isStoreTrouble } from '../../errors.ts';

/**
 * Identifies the server and its timeline, which PostgreSQL changes when a standby is promoted and
 * when it recovers to a point in time. Null on the embedded store, on a standby, and on services
 * that do not offer these functions.
 */
export async function readServerHistory(db: Db): Promise<string | null> {
  if (db.engine !== 'postgres') return null;
  try {
    // Returns one row.
    const [row] = await db.query<{ history: string | null }>(
      `select case when not pg_is_in_recovery() then
                (select system_identifier::text from pg_control_system())
                || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) end as history`,
    );
    return row?.history ?? null;
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    return null;
  }
}
