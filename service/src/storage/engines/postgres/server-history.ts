import type { Queryable } from '../../db.ts';
import { isStoreTrouble } from '../../errors.ts';

/** The server that a connection has reached. */
export interface ServerState {
  /** True for a standby, which accepts no writes. */
  isStandby: boolean;
  /**
   * Identifies the server and its timeline, which PostgreSQL changes when a standby is promoted and
   * when it recovers to a point in time. Null on a standby, and on services that do not offer these
   * functions.
   */
  history: string | null;
}

export async function readServerState(db: Queryable): Promise<ServerState> {
  try {
    // Returns one row.
    const [row] = await db.query<{ isStandby: boolean; history: string | null }>(
      `select pg_is_in_recovery() as "isStandby",
              case when not pg_is_in_recovery() then
                (select system_identifier::text from pg_control_system())
                || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) end as history`,
    );
    return { isStandby: row?.isStandby === true, history: row?.history ?? null };
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    return { isStandby: false, history: null };
  }
}
