import type { Db } from '../db.ts';
import { LAST_BACKUP_MARKER, readMarker } from '../marker.ts';

/** What a store is, for people to look at. */
export interface StoreInfo {
  engine: Db['engine'];
  /** Number of the newest migration that was applied. */
  schemaVersion: number;
  /** What the store takes on its disk, indexes included. */
  sizeBytes: number;
  /** ISO instant of the newest backup by `afterbell backup`; null: there is none. */
  lastBackupAt: string | null;
}

export async function readStoreInfo(db: Db): Promise<StoreInfo> {
  // One row: the newest migration by the primary key, and the size as the server keeps it.
  const [row] = await db.query<{ version: number; size: number }>(
    `select (select max(number) from schema_migration) as version,
            pg_database_size(current_database()) as size`,
  );
  return {
    engine: db.engine,
    schemaVersion: row?.version ?? 0,
    sizeBytes: row?.size ?? 0,
    lastBackupAt: await readMarker(db, LAST_BACKUP_MARKER),
  };
}
