import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { keepBeforeMigrating } from './backup/backup-before-migrating.ts';
import type { Db } from './db.ts';
import { NoStoreError, StoreUnavailableError } from './errors.ts';
import { forward } from './forward.ts';
import { startPgliteMaintenance } from './engines/pglite/maintenance.ts';
import { migrate, MIGRATIONS_FOLDER } from './schema/migrate.ts';
import { acquireLock } from './folder/lock.ts';
import { restartingPglite } from './engines/pglite/restarting-pglite.ts';
import { openPglite } from './engines/pglite/pglite.ts';
import { removeSnapshotCopies } from './engines/pglite/snapshot-copy.ts';
import { openPostgres, refuseOldServer } from './engines/postgres/postgres.ts';
import { engineFolder, hasStore, makePrivate, versionFile } from './folder/store-files.ts';
import { watchFile } from './folder/file-watcher.ts';

export interface OpenStoreOptions {
  /** A PostgreSQL address; when given, `folder` is not looked at. */
  databaseUrl?: string | undefined;
  /** The folder of the embedded store; made with mode 0700 when missing. */
  folder?: string | undefined;
  /** Connections to PostgreSQL. */
  poolSize?: number | undefined;
  /** Refuses a database without a store, in place of making one; it makes one unless told. */
  mustExist?: boolean | undefined;
  /** Whether a store of an older release is brought forward; it is, unless told. */
  migrates?: boolean | undefined;
  /** By which the embedded store looks after its files; the system's unless told. */
  clock?: Clock | undefined;
  /** Told when the upkeep of the embedded store fails. */
  log?: Log | undefined;
  /** Whether an embedded store is backed up before it is brought to a newer schema; it is. */
  backsUpBeforeMigrating?: boolean | undefined;
  /** Told of that backup. */
  onBackup?: ((file: string) => void) | undefined;
}

/**
 * Opens the store and brings it to the newest schema: PostgreSQL when an address is given, else
 * the embedded one in the folder, held by a lock until it is closed.
 *
 * An embedded one is backed up before, to a file beside its folder. Told not to migrate, it leaves an
 * older one as it is.
 *
 * Throws StoreHeldError when another process holds the folder, MigrationError when the store does
 * not fit this program, NoStoreError when there is none and there must be, StoreUnavailableError when
 * the server cannot be reached or the folder not be made.
 */
export async function openStore(options: OpenStoreOptions): Promise<Db> {
  const {
    databaseUrl,
    mustExist = false,
    backsUpBeforeMigrating: keepsBefore = true,
    migrates = true,
  } = options;
  const db = await open(options);
  try {
    if (mustExist) await refuseEmpty(db);
    if (databaseUrl === undefined && keepsBefore && migrates) await backUp(db, options);
    await migrate(db, MIGRATIONS_FOLDER, migrates ? undefined : 0);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function refuseEmpty(db: Db): Promise<void> {
  // One row: whether there is the table that the first migration finds or makes.
  const [row] = await db.query<{ is_there: boolean }>(
    `select to_regclass('schema_migration') is not null as is_there`,
  );
  if (row?.is_there === true) return;
  throw new NoStoreError(
    'there is no store in this database: name another one with --database-url, or make one with ' +
      'afterbell start',
  );
}

async function backUp(
  db: Db,
  { folder = '', clock = systemClock(), onBackup: onKept }: OpenStoreOptions,
): Promise<void> {
  const file = await keepBeforeMigrating(db, { folder, now: clock.now() });
  if (file !== null) onKept?.(file);
}

async function open({ databaseUrl, folder, poolSize, clock, log }: OpenStoreOptions): Promise<Db> {
  if (databaseUrl !== undefined) {
    const db = openPostgres({ url: databaseUrl, poolSize });
    try {
      await refuseOldServer(db);
    } catch (error) {
      await db.close();
      throw error;
    }
    return db;
  }
  if (folder === undefined) throw new Error('A store needs a database address or a folder.');
  return openEmbedded(folder, clock ?? systemClock(), log);
}

const ANOTHER_FOLDER = 'set DATA_DIR to a folder that this user can make and write in';

/** Its files gone, the store is gone: every call says so, and the lock has nothing left to guard. */
async function openEmbedded(folder: string, clock: Clock, log?: Log): Promise<Db> {
  try {
    await makePrivate(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(
      `The store's folder cannot be made: ${reason}: ${ANOTHER_FOLDER}`,
    );
  }
  const lock = await acquireLock(folder);
  try {
    await removeSnapshotCopies(folder);
    const dataDir = engineFolder(folder);
    const goneReason = `Its files in ${folder} are not there any more.`;
    const db = restartingPglite(await openPglite({ dataDir }), {
      clock,
      async open() {
        // Without its files it would make an empty store, as at a first start.
        if (!(await hasStore(folder))) throw new StoreUnavailableError(goneReason);
        return openPglite({ dataDir });
      },
    });
    let areFilesGone = false;
    const watch = watchFile({
      clock,
      file: versionFile(folder),
      onGone() {
        areFilesGone = true;
        db.abandon(goneReason);
      },
    });
    const upkeep = startPgliteMaintenance({ db, clock, log });
    async function closeAndRelease(): Promise<void> {
      upkeep.stop();
      watch.stop();
      await db.close();
      if (!areFilesGone) await lock.release();
    }
    let closing: Promise<void> | undefined;
    return forward(db, { close: () => (closing ??= closeAndRelease()) });
  } catch (error) {
    await lock.release();
    throw error;
  }
}
