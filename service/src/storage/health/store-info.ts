import type { Db } from '../db.ts';
import { LAST_BACKUP_MARKER, readMarker } from '../marker.ts';

/** Facts about a store, for display. */
export interface StoreInfo {
  engine: Db['engine'];
  /** Number of the newest applied migration. */
  schemaVersion: number;
  /** Size on disk in bytes, including indexes. */
  sizeBytes: number;
  /** ISO instant of the newest backup by `afterbell backup`; null if there is none. */
  lastBackupAt: string | null;
}

export async function readStoreInfo(db: Db): Promise<StoreInfo> {
  // Returns one row: the newest migration and the size of the database.
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
