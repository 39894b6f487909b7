import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDurably, syncTree } from '../../platform/durable-files.ts';
import type { Db } from '../db.ts';
import { acquireLock } from '../folder/lock.ts';
import { loadMigrations, migrate, MIGRATIONS_FOLDER } from '../schema/migrate.ts';
import { openPglite } from '../engines/pglite/pglite.ts';
import type { Pooler } from '../engines/postgres/connection-settings.ts';
import { openPostgres, rejectOldServer } from '../engines/postgres/postgres.ts';
import { engineFolder, createPrivateFolder } from '../folder/store-files.ts';
import { BackupError } from './backup-error.ts';
import { loadBackup, type RestoreFixup } from './load-backup.ts';
import type { Archive } from './read-archive.ts';
import { loadSchemaSteps, loadTables, quoteName } from './tables.ts';

export interface RestoreOptions {
  archive: Archive;
  fixups: readonly RestoreFixup[];
  /** Called with the restored and migrated store before it is used. */
  onRestored?(db: Db): Promise<void>;
  /** Folder with this program's migrations. */
  migrations?: string;
}

const TEMPORARY_FOLDER = 'restoring';

/**
 * Restores a backup into a folder as an embedded store. Builds the store under a temporary name and
 * renames it when it is complete, so an interrupted restore leaves no store behind.
 */
export async function restoreEmbedded(folder: string, options: RestoreOptions): Promise<void> {
  const newest = await rejectUnknownSchema(options);
  await createPrivateFolder(folder);
  const lock = await acquireLock(folder);
  try {
    const store = engineFolder(folder);
    if (await exists(store)) {
      throw new BackupError(
        `${folder} already holds a store, and a backup can only be restored to an empty folder: ` +
          'choose another one with --data-dir, or move this one away',
      );
    }
    const temporaryFolder = join(folder, TEMPORARY_FOLDER);
    await rm(temporaryFolder, { recursive: true, force: true });
    try {
      const db = await openPglite({ dataDir: temporaryFolder });
      try {
        await restoreInto(db, newest, options);
      } finally {
        await db.close();
      }
      await syncTree(temporaryFolder);
      await renameDurably(temporaryFolder, store);
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

/**
 * Restores a backup into an empty PostgreSQL database. Loads all rows in one transaction, so an
 * interrupted restore leaves empty tables and can be repeated.
 */
export async function restorePostgres(
  url: string,
  { pooler, ...options }: RestoreOptions & { pooler?: Pooler },
): Promise<void> {
  const newest = await rejectUnknownSchema(options);
  const db = openPostgres({ url, pooler });
  try {
    await rejectOldServer(db);
    await restoreInto(db, newest, options);
  } finally {
    await db.close();
  }
}

async function restoreInto(
  db: Db,
  newest: number,
  { archive, fixups: settle, onRestored, migrations = MIGRATIONS_FOLDER }: RestoreOptions,
): Promise<void> {
  await rejectNonEmpty(db, newest);
  await migrate(db, migrations, newest);
  await loadBackup(db, archive, settle);
  await migrate(db, migrations);
  await onRestored?.(db);
}

/**
 * Returns the number of the backup's newest migration. Throws BackupError unless this program has
 * all of its migrations.
 */
async function rejectUnknownSchema({
  archive,
  migrations = MIGRATIONS_FOLDER,
}: RestoreOptions): Promise<number> {
  const { schema, program } = archive.manifest;
  const byNumber = new Map((await loadMigrations(migrations)).map((each) => [each.number, each]));
  for (const { number, name, checksum } of schema) {
    const migration = byNumber.get(number);
    const shown = `${String(number).padStart(4, '0')}-${name}`;
    if (migration === undefined) {
      throw new BackupError(
        `this backup has the schema ${shown}, newer than this program: restore it with release ` +
          `${program}, which made it, or a newer one`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new BackupError(
        `the migration ${shown} of this backup differs from this program's: restore it with ` +
          `release ${program}, which made it`,
      );
    }
  }
  return schema.at(-1)?.number ?? 0;
}

/** Tables into which the migrations, or the first command on a store, insert rows. */
const SEEDED = [
  'plan',
  'key_ring_version',
  'process_loop',
  'replica_beat',
  'store_marker',
  'version_clock',
  'webhook_cursor',
];

async function rejectNonEmpty(db: Db, newest: number): Promise<void> {
  const tables = await loadTables(db);
  if (tables.length === 0) return;
  const isOurs = tables.some(({ name }) => name === 'store_marker');
  const filled = [];
  for (const { name } of tables) {
    // Returns at most one row.
    const rows = await db.query(`select 1 from ${quoteName(name)} limit 1`);
    if (rows.length > 0 && !SEEDED.includes(name)) filled.push(name);
  }
  const steps = isOurs ? await loadSchemaSteps(db) : [];
  if (isOurs && filled.length === 0 && (steps.at(-1)?.number ?? 0) <= newest) return;
  const reason =
    filled.length > 0 ? `it has rows in ${filled.slice(0, 3).join(', ')}` : 'it already has tables';
  throw new BackupError(
    `this database is not empty (${reason}), and a backup can only be restored to an empty one: ` +
      'create one with createdb and choose it with --database-url',
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
