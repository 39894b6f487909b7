import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Db, SnapshotView } from '../db.ts';
import { readCellName } from '../cells/cell-marker.ts';
import { readMarker } from '../marker.ts';
import { BackupError } from './backup-error.ts';
import { type BackupManifest, makeManifest, totalRows } from './manifest.ts';
import { chunkSelects, loadCounters, loadSchemaSteps, loadTables, measureTable } from './tables.ts';
import { type ArchiveWriter, writeArchive } from './write-archive.ts';

const compress = promisify(zstdCompress);

export interface BackupOptions {
  db: Db;
  file: string;
  now: Instant;
  /** Version of the program that writes the backup. */
  program: string;
  /** Content of the secrets-key file, if the backup should include it. */
  secretsKey?: Uint8Array | undefined;
  /** True to replace an existing file. Default: false. */
  mayReplace?: boolean;
}

export interface BackupReport {
  file: string;
  sizeBytes: number;
  tables: number;
  rows: number;
}

/**
 * Writes a consistent snapshot of the whole store to one file while other calls keep reading from
 * and writing to the store. The file is a tar archive that contains `manifest.json`, the rows of
 * each table in parts of a few megabytes (`tables/NAME/000001.copy.zst`, compressed with zstd, in
 * COPY's text format, which both engines read), optionally the secrets key, and a checksum trailer.
 * Only a few parts are in memory at a time. Throws BackupError for a cell.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const { db, file, now, secretsKey, mayReplace = false } = options;
  return db.readSnapshot(async (view) => {
    await rejectCell(view);
    const manifest = await describe(view, options);
    const sizeBytes = await writeArchive(
      file,
      { atSeconds: now / 1000, mayReplace },
      async (archive) => {
        await archive.add('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
        if (secretsKey !== undefined) await archive.add('secrets-key', secretsKey);
        for (const table of manifest.tables) await copyTable(view, archive, table);
      },
    );
    return { file, sizeBytes, tables: manifest.tables.length, rows: totalRows(manifest) };
  });
}

/**
 * The facts of a cell continue from a position in the log of the gathering store, which such a
 * backup would not contain.
 */
async function rejectCell(view: SnapshotView): Promise<void> {
  const name = await readCellName(view);
  if (name === null) return;
  throw new BackupError(
    `this store is the cell "${name}", which receives its facts by replication: back it up with ` +
      'PostgreSQL itself, such as with pg_basebackup and archived WAL, and the gathering store with ' +
      'afterbell backup',
  );
}

async function describe(
  view: SnapshotView,
  { db, now, program }: BackupOptions,
): Promise<BackupManifest> {
  const tables = [];
  for (const table of await loadTables(view)) tables.push(await measureTable(view, table));
  return makeManifest({
    createdAt: formatInstant(now),
    program,
    engine: db.engine,
    kind: await readMarker(view, 'kind'),
    tables,
    schema: await loadSchemaSteps(view),
    counters: await loadCounters(view),
  });
}

/** Reads each part while the previous one is being compressed and written. */
async function copyTable(
  view: SnapshotView,
  archive: ArchiveWriter,
  table: { name: string; columns: readonly string[] },
): Promise<void> {
  let written: Promise<void> = Promise.resolve();
  let part = 0;
  for (const select of await chunkSelects(view, table)) {
    const lines = await view.copyOut(select);
    await written;
    if (lines.byteLength === 0) continue;
    part += 1;
    const name = `tables/${table.name}/${String(part).padStart(6, '0')}.copy.zst`;
    written = compress(lines).then((packed) => archive.add(name, packed));
    // The promise is awaited in the next iteration. Until then, a rejection must not be reported as
    // unhandled.
    written.catch(ignore);
  }
  await written;
}

function ignore(): void {}
