import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from './db.ts';
import { StoreUnavailableError } from './errors.ts';
import { migrate } from './migrate.ts';
import { acquireLock } from './lock.ts';
import { openPglite } from './pglite.ts';
import { openPostgres, refuseOldServer } from './postgres.ts';

export interface OpenStoreOptions {
  /** A PostgreSQL address; when given, `folder` is not looked at. */
  databaseUrl?: string | undefined;
  /** The folder of the embedded store; made with mode 0700 when missing. */
  folder?: string | undefined;
  /** Connections to PostgreSQL. */
  poolSize?: number | undefined;
}

/**
 * Opens the store and brings it to the newest schema: PostgreSQL when an address is given, else
 * the embedded one in the folder, held by a lock until it is closed.
 *
 * Throws StoreHeldError when another process holds the folder, MigrationError when the store does
 * not fit this program, StoreUnavailableError when the server cannot be reached or the folder not
 * be made.
 */
export async function openStore(options: OpenStoreOptions): Promise<Db> {
  const db = await open(options);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function open({ databaseUrl, folder, poolSize }: OpenStoreOptions): Promise<Db> {
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
  return openEmbedded(folder);
}

async function openEmbedded(folder: string): Promise<Db> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The umask may have loosened or an older release made it: the rows hold account data.
    await chmod(folder, 0o700);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`The store's folder cannot be made: ${reason}`);
  }
  const lock = await acquireLock(folder);
  try {
    const db = await openPglite({ dataDir: join(folder, 'pg') });
    return withClose(db, async () => {
      await db.close();
      await lock.release();
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function withClose(db: Db, close: () => Promise<void>): Db {
  return {
    engine: db.engine,
    query: (sql, params) => db.query(sql, params),
    transaction: (work) => db.transaction(work),
    execute: (script) => db.execute(script),
    close,
  };
}
