import type { Clock } from '../../platform/clock.ts';
import { quoteName } from '../backup/tables.ts';
import type { Db, Queryable } from '../db.ts';
import { claimMarker, readMarker, setMarker } from '../marker.ts';
import { pendingMigrations, readSchemaVersion } from '../schema/migrate.ts';
import { CELL_MARKER, readCellName } from './cell-marker.ts';
import { loadCellState } from './cell-state.ts';
import { ensurePublication, ensureSlot } from './publication.ts';
import { ensureSubscription, protectFacts, subscriptionOf } from './subscription.ts';
import { FACT_TABLES } from './table-kinds.ts';

/** Thrown if a store cannot become a cell. The message says what to do. */
export class CellError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CellError';
  }
}

/** Markers of the gathering store that also describe the facts of its cells. */
const SHARED_MARKERS = ['kind', 'clock', 'sandbox'];
/** The table of facts into which a migration inserts a row. */
const SEEDED_TABLE = 'version_clock';
const POLL_MS = 200;

interface InitOptions {
  cell: Db;
  gathering: Db;
  /** Address of the gathering store for the server of the cell. */
  gatheringUrl: string;
  name: string;
  clock: Clock;
  /** Called when the number of tables to copy changes. */
  onProgress(missingTables: number): void;
}

/**
 * Makes an empty store a cell: publishes the facts on the gathering store, subscribes to them, and
 * waits until they are copied. Repeating it continues an interrupted one, and after an upgrade adds
 * the tables of the new release. Throws `CellError` if the stores do not fit.
 */
export async function initCell(options: InitOptions): Promise<void> {
  const { cell, gathering, name } = options;
  await checkGathering(gathering);
  await checkSameSchema(options);
  const isNew = await checkCell(cell, name);
  for (const marker of SHARED_MARKERS) {
    const value = await readMarker(gathering, marker);
    if (value !== null) await setMarker(cell, marker, value);
  }
  await cell.transaction(async (tx) => {
    if (isNew) {
      await claimMarker(tx, CELL_MARKER, name);
      await tx.query(`delete from ${SEEDED_TABLE}`);
    }
    await protectFacts(tx);
  });
  const subscription = subscriptionOf(name);
  await ensurePublication(gathering);
  await ensureSlot(gathering, subscription);
  await ensureSubscription(cell, { name: subscription, gatheringUrl: options.gatheringUrl });
  await waitUntilCopied(options);
}

async function checkGathering(gathering: Db): Promise<void> {
  // Returns one row.
  const [server] = await gathering.query<{ walLevel: string; mayReplicate: boolean }>(
    `select current_setting('wal_level') as "walLevel",
            (select rolreplication or rolsuper from pg_roles where rolname = current_user)
              as "mayReplicate"`,
  );
  if (server?.walLevel !== 'logical') {
    throw new CellError(
      `the server of the gathering store has wal_level = ${server?.walLevel}: set wal_level = logical ` +
        'in its postgresql.conf and restart it',
    );
  }
  if (!server.mayReplicate) {
    throw new CellError(
      'the user in GATHERING_DATABASE_URL may not replicate: alter role … replication, and make it ' +
        'the owner of the tables',
    );
  }
  const other = await readCellName(gathering);
  if (other !== null) {
    throw new CellError(
      `GATHERING_DATABASE_URL names the cell ${other}: set it to the store that ingests`,
    );
  }
}

async function checkSameSchema({ cell, gathering }: InitOptions): Promise<void> {
  const pending = await pendingMigrations(gathering);
  const [ofCell, ofGathering] = [await readSchemaVersion(cell), await readSchemaVersion(gathering)];
  if (pending.length === 0 && ofCell === ofGathering) return;
  throw new CellError(
    `the gathering store has the schema ${ofGathering}, the cell ${ofCell}: upgrade the gathering ` +
      'store first with afterbell migrate, then the cell, with the same release',
  );
}

/** Returns true if the store is not a cell yet. */
async function checkCell(cell: Db, name: string): Promise<boolean> {
  const present = await readCellName(cell);
  if (present === name) return false;
  if (present !== null) {
    throw new CellError(`this store is already the cell ${present}: repeat its name`);
  }
  for (const table of FACT_TABLES) {
    if (table === SEEDED_TABLE) continue;
    if ((await cell.query(`select 1 from ${quoteName(table)} limit 1`)).length === 0) continue;
    throw new CellError(
      `this store already has facts of its own (${table}): create an empty database with createdb ` +
        'and set DATABASE_URL to it',
    );
  }
  return true;
}

async function waitUntilCopied({ cell, clock, onProgress }: InitOptions): Promise<void> {
  let shown = -1;
  for (;;) {
    const state = await loadCellState(cell, { lagMsMax: Infinity });
    const missing = state?.missingTables.length ?? 0;
    if (missing !== shown) onProgress(missing);
    shown = missing;
    if (missing === 0) return;
    if (state !== null && state.applyErrorCount > 0) await rejectFailedCopy(cell);
    await clock.sleep(POLL_MS);
  }
}

async function rejectFailedCopy(cell: Queryable): Promise<void> {
  // Returns one row per subscription of the database.
  const [stats] = await cell.query<{ errors: number }>(
    `select sum(sync_error_count)::float8 as errors from pg_stat_subscription_stats`,
  );
  if ((stats?.errors ?? 0) < 5) return;
  throw new CellError(
    'tables cannot be copied: the log of the PostgreSQL server of the cell has the reason. Then ' +
      'repeat the command',
  );
}
