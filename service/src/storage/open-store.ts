import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { backUpBeforeMigrating } from './backup/backup-before-migrating.ts';
import type { CommitJournal } from './commit-journal.ts';
import type { Db } from './db.ts';
import { NoStoreError, StoreUnavailableError } from './errors.ts';
import { forward } from './forward.ts';
import { startPgliteMaintenance } from './engines/pglite/maintenance.ts';
import { migrate, MIGRATIONS_FOLDER, pendingMigrations } from './schema/migrate.ts';
import { explainDamage } from './folder/damaged-store.ts';
import { acquireLock } from './folder/lock.ts';
import { restartingPglite } from './engines/pglite/restarting-pglite.ts';
import { availableMemoryBytes, mayOptimize, setOptimizing } from './engines/pglite/optimization.ts';
import { openPglite } from './engines/pglite/pglite.ts';
import { removeSnapshotCopies } from './engines/pglite/snapshot-copy.ts';
import type { Pooler } from './engines/postgres/connection-settings.ts';
import type { OnHistoryChanged } from './engines/postgres/server-check.ts';
import { rejectTransactionPooling } from './engines/postgres/pooler-probe.ts';
import { openPostgres, rejectOldServer } from './engines/postgres/postgres.ts';
import { engineFolder, hasStore, createPrivateFolder, versionFile } from './folder/store-files.ts';
import { watchFile } from './folder/file-watcher.ts';

export interface OpenStoreOptions {
  /** URL of a PostgreSQL database. If it is given, `folder` is ignored. */
  databaseUrl?: string | undefined;
  /** See `Pooler`. Default: auto. */
  pooler?: Pooler | undefined;
  /** See `PostgresOptions`. */
  onHistoryChanged?: OnHistoryChanged | undefined;
  /** See `PostgresOptions`. */
  journal?: CommitJournal | undefined;
  /** Folder for the embedded store. Created with mode 0700 if it doesn't exist. */
  folder?: string | undefined;
  /** Size of the PostgreSQL connection pool. */
  poolSize?: number | undefined;
  /** True to throw on an empty database instead of creating a store in it. Default: false. */
  mustExist?: boolean | undefined;
  /** True to apply pending migrations. Default: true. */
  migrates?: boolean | undefined;
  /** Clock for the maintenance of the embedded store. Default: the system clock. */
  clock?: Clock | undefined;
  /** Log for the opening, pending migrations, and the maintenance of the embedded store. */
  log?: Log | undefined;
  /** True to back up an embedded store before migrations run. Default: true. */
  backsUpBeforeMigrating?: boolean | undefined;
  /**
   * True to make every commit to an embedded store survive a power failure. Without it, commits
   * survive only the death of the process. Default: true.
   */
  syncs?: boolean | undefined;
  /** Called with the path of the backup after it is complete. */
  onBackup?: ((file: string) => void) | undefined;
}

/**
 * Opens the store and applies pending migrations. Uses PostgreSQL if `databaseUrl` is given.
 * Otherwise it uses the embedded store in `folder`, which stays locked until the store is closed.
 * Before migrating, an embedded store is backed up to a file beside its folder.
 *
 * Throws StoreHeldError if another process holds the folder, MigrationError if the store is
 * incompatible with this program, NoStoreError if a required store doesn't exist, and
 * StoreUnavailableError if the server is unreachable or the folder cannot be created.
 */
export async function openStore(options: OpenStoreOptions): Promise<Db> {
  const {
    databaseUrl,
    mustExist = false,
    backsUpBeforeMigrating: keepsBefore = true,
    migrates = true,
    log,
  } = options;
  const db = await open(options);
  try {
    if (mustExist) await rejectEmpty(db);
    if (databaseUrl === undefined && keepsBefore && migrates) await backUp(db, options);
    if (log !== undefined && migrates) await logPending(db, log);
    await migrate(db, MIGRATIONS_FOLDER, migrates ? undefined : 0);
    return db;
  } catch (error) {
    await db.close();
    const { folder } = options;
    if (databaseUrl !== undefined || folder === undefined) throw error;
    throw await explainDamage(folder, error);
  }
}

/** Logs pending migrations, which take seconds on a new store and minutes on a large one. */
async function logPending(db: Db, log: Log): Promise<void> {
  const { length: count } = await pendingMigrations(db);
  if (count > 0) log.info({ event: 'store.migrating', count }, 'applying migrations to the store');
}

async function rejectEmpty(db: Db): Promise<void> {
  // Returns one row.
  const [row] = await db.query<{ is_there: boolean }>(
    `select to_regclass('schema_migration') is not null as is_there`,
  );
  if (row?.is_there === true) return;
  throw new NoStoreError(
    'there is no store in this database: choose another one with --database-url, or create one ' +
      'with afterbell start',
  );
}

async function backUp(
  db: Db,
  { folder = '', clock = systemClock(), onBackup: onKept }: OpenStoreOptions,
): Promise<void> {
  const file = await backUpBeforeMigrating(db, { folder, now: clock.now() });
  if (file !== null) onKept?.(file);
}

async function open(options: OpenStoreOptions): Promise<Db> {
  const {
    databaseUrl,
    pooler,
    folder,
    poolSize,
    onHistoryChanged,
    journal,
    clock = systemClock(),
    log,
    syncs = true,
  } = options;
  if (databaseUrl !== undefined) {
    const db = openPostgres({ url: databaseUrl, poolSize, pooler, onHistoryChanged, journal });
    try {
      await rejectOldServer(db);
      if (pooler === 'none') await rejectTransactionPooling(databaseUrl);
    } catch (error) {
      await db.close();
      throw error;
    }
    return db;
  }
  if (folder === undefined) throw new Error('A store needs a database URL or a folder.');
  return openEmbedded(folder, { clock, log, syncs });
}

/** Heartbeats, which say nothing about data. */
const HEARTBEAT = /\b(?:ingest_lease|process_loop)\b/;

/** Counts calls that may have written something, also those that failed. */
function countWrites(db: Db): Db {
  let writes = 0;
  async function counted<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } finally {
      writes += 1;
    }
  }
  return forward(db, {
    query: (text, ...args) => {
      const result = db.query<never>(text, ...args);
      return /^\s*select\b/i.test(text) || HEARTBEAT.test(text) ? result : counted(result);
    },
    transaction: (...args) => counted(db.transaction(...args)),
    execute: (...args) => counted(db.execute(...args)),
    writeCount: () => writes,
  });
}

const ANOTHER_FOLDER = 'set DATA_DIR to a folder that this user can create and write to';

/**
 * Opens the embedded store. If its files disappear, every call fails with an error that says so,
 * and there is no lock left to release.
 */
async function openEmbedded(
  folder: string,
  { clock, log, syncs }: { clock: Clock; log: Log | undefined; syncs: boolean },
): Promise<Db> {
  try {
    await createPrivateFolder(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(
      `The store's folder cannot be created: ${reason}: ${ANOTHER_FOLDER}`,
    );
  }
  let onTakenOver: () => void = () => undefined;
  const lock = await acquireLock(folder, { onLost: () => onTakenOver() });
  try {
    log?.info({ event: 'store.opening', folder }, 'opening the embedded store');
    saveMemory(log);
    await removeSnapshotCopies(folder);
    const dataDir = engineFolder(folder);
    const goneReason = `Its files in ${folder} were deleted.`;
    const db = restartingPglite(await openPglite({ dataDir, syncs }), {
      clock,
      async open() {
        // Without this check, the engine would create an empty store when the files are missing.
        if (!(await hasStore(folder))) throw new StoreUnavailableError(goneReason);
        return openPglite({ dataDir, syncs });
      },
    });
    let areFilesGone = false;
    onTakenOver = () => {
      areFilesGone = true;
      db.abandon(`Another process has taken over ${folder}.`);
    };
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
    return forward(countWrites(db), { close: () => (closing ??= closeAndRelease()) });
  } catch (error) {
    await lock.release();
    throw await explainDamage(folder, error);
  }
}

/** Avoids that the engine is killed by a small memory limit, at the price of speed. */
function saveMemory(log: Log | undefined): void {
  const memoryBytes = availableMemoryBytes();
  if (mayOptimize(memoryBytes)) return;
  setOptimizing(false);
  log?.warn(
    { event: 'store.memory_small', memoryMb: Math.round(memoryBytes / 1024 ** 2) },
    'the embedded store is slower with less than 2 GB of memory, and needs 768 MB',
  );
}
