import type { Db, Transaction } from '../db.ts';
import type { Archive } from './read-archive.ts';
import { BackupError } from './backup-error.ts';
import type { BackupManifest, BackupTable } from './manifest.ts';
import { putAside } from './drop-constraints.ts';
import { loadTables, measureTable, quoteName } from './tables.ts';

/** What becomes of rows that told of a process that is no more. */
export interface Settle {
  /** Left out when the backup is of a time before there was such a table. */
  table: string;
  sql: string;
}

/**
 * Puts the rows of a backup in the place of those that the migrations made, in one transaction: all
 * of them, with counts and checksums as in the manifest, or none. Indexes, keys between tables and
 * triggers are made anew behind the rows, which is faster and fires nothing.
 */
export async function loadBackup(
  db: Db,
  archive: Archive,
  settle: readonly Settle[] = [],
): Promise<void> {
  const { manifest } = archive;
  await db.transaction(async (tx) => {
    // Sums over large tables take longer than a request may.
    await tx.query('set local statement_timeout = 0');
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    if (db.engine === 'postgres') {
      // For the time of the restore, which no service is using: indexes are sorted in memory.
      await tx.query(`set local maintenance_work_mem = '256MB'`);
    }
    await refuseOtherTables(tx, manifest);
    const { putBack } = await putAside(tx);
    const names = manifest.tables.map(({ name }) => quoteName(name)).join(', ');
    // Empties the tables: some migrations put rows in.
    await tx.query(`truncate ${names}`);
    const columns = new Map(manifest.tables.map((table) => [table.name, columnList(table)]));
    for await (const { table, lines } of oneAhead(archive.parts())) {
      await tx.copy(`${quoteName(table)} ${columns.get(table) ?? ''}`, lines);
    }
    for (const table of manifest.tables) await compare(tx, table);
    for (const { table, column, last, isGiven } of manifest.counters) {
      // Sets one counter.
      await tx.query('select setval(pg_get_serial_sequence($1, $2), $3::int8, $4::bool)', [
        quoteName(table),
        column,
        last,
        isGiven,
      ]);
    }
    for (const { table, sql } of settle) if (columns.has(table)) await tx.query(sql);
    await putBack();
  });
  // The embedded engine plans without figures; a server would, until it finds the time to count.
  if (db.engine === 'postgres')
    await db.execute('set statement_timeout = 0; analyze; reset statement_timeout');
}

/** Unpacks a part while the store takes in the one before it. */
async function* oneAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // Awaited in the next turn; until then a failure must not count as nobody's.
      next.catch(ignore);
      yield value;
    }
  } finally {
    // Whoever stops half way closes the file after this.
    await next.catch(ignore);
  }
}

function ignore(): void {}

function columnList({ columns }: BackupTable): string {
  return `(${columns.map(quoteName).join(', ')})`;
}

/** The migrations make the tables; a backup that tells of others was not made by this service. */
async function refuseOtherTables(tx: Transaction, { tables }: BackupManifest): Promise<void> {
  const here = new Map((await loadTables(tx)).map(({ name, columns }) => [name, columns.join()]));
  const isSame =
    here.size === tables.length &&
    tables.every(({ name, columns }) => here.get(name) === columns.join());
  if (isSame) return;
  throw new BackupError(
    'the tables of this backup are not those of its schema; nothing was written',
  );
}

async function compare(tx: Transaction, told: BackupTable): Promise<void> {
  const { rows, checksum } = await measureTable(tx, told);
  if (rows === told.rows && checksum === told.checksum) return;
  throw new BackupError(
    `${told.name} has ${rows} rows with checksum ${checksum} where the backup tells of ` +
      `${told.rows} with ${told.checksum}; nothing was written`,
  );
}
