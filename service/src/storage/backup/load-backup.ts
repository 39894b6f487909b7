import type { Db, Transaction } from '../db.ts';
import type { Archive } from './read-archive.ts';
import { BackupError } from './backup-error.ts';
import type { BackupManifest, BackupTable } from './manifest.ts';
import { dropConstraints } from './drop-constraints.ts';
import { loadTables, measureTable, quoteName } from './tables.ts';

/** A statement that resets rows that belonged to a process that no longer exists. */
export interface RestoreFixup {
  /** The statement is skipped if the backup is from before this table existed. */
  table: string;
  sql: string;
}

/**
 * Replaces the rows created by migrations with those in a backup, in one transaction. Loads either
 * all rows, with the counts and checksums listed in the manifest, or none. Recreates indexes,
 * foreign keys and triggers afterwards, which is faster and fires no triggers.
 */
export async function loadBackup(
  db: Db,
  archive: Archive,
  settle: readonly RestoreFixup[] = [],
): Promise<void> {
  const { manifest } = archive;
  await db.transaction(async (tx) => {
    // Computing the checksum of a large table takes longer than the statement timeout allows.
    await tx.query('set local statement_timeout = 0');
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    if (db.engine === 'postgres') {
      // No service uses the store during a restore, so sorting for indexes can use plenty of
      // memory.
      await tx.query(`set local maintenance_work_mem = '256MB'`);
    }
    await rejectOtherTables(tx, manifest);
    const { restoreConstraints: putBack } = await dropConstraints(tx);
    const names = manifest.tables.map(({ name }) => quoteName(name)).join(', ');
    // Some migrations insert rows, so the tables are emptied first.
    await tx.query(`truncate ${names}`);
    const columns = new Map(manifest.tables.map((table) => [table.name, columnList(table)]));
    for await (const { table, lines } of prefetch(archive.parts())) {
      await tx.copy(`${quoteName(table)} ${columns.get(table) ?? ''}`, lines);
    }
    for (const table of manifest.tables) await verifyTable(tx, table);
    for (const { table, column, last, isGiven } of manifest.counters) {
      // Sets the current value of one sequence.
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
  // The embedded engine plans without statistics. A server without them would choose bad plans
  // until autovacuum runs.
  if (db.engine === 'postgres')
    await db.execute('set local statement_timeout = 0; set local lock_timeout = 0; analyze');
}

/** Decompresses the next part while the store loads the current one. */
async function* prefetch<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // The promise is awaited in the next iteration. Until then, a rejection must not be reported
      // as unhandled.
      next.catch(ignore);
      yield value;
    }
  } finally {
    // A consumer that stops early closes the file next, so the pending read must finish first.
    await next.catch(ignore);
  }
}

function ignore(): void {}

function columnList({ columns }: BackupTable): string {
  return `(${columns.map(quoteName).join(', ')})`;
}

/**
 * Throws if the tables in the backup differ from those that the migrations created. Such a backup
 * was not written by this service.
 */
async function rejectOtherTables(tx: Transaction, { tables }: BackupManifest): Promise<void> {
  const existing = new Map(
    (await loadTables(tx)).map(({ name, columns }) => [name, columns.join()]),
  );
  const isSame =
    existing.size === tables.length &&
    tables.every(({ name, columns }) => existing.get(name) === columns.join());
  if (isSame) return;
  throw new BackupError('the tables of this backup do not match its schema; nothing was restored');
}

async function verifyTable(tx: Transaction, expected: BackupTable): Promise<void> {
  const { rows, checksum } = await measureTable(tx, expected);
  if (rows === expected.rows && checksum === expected.checksum) return;
  throw new BackupError(
    `${expected.name} has ${rows} rows with checksum ${checksum} but the backup lists ` +
      `${expected.rows} rows with ${expected.checksum}; nothing was restored`,
  );
}
