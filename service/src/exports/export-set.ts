import { createHash } from 'node:crypto';
import {
  appendFile,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type DataFile,
  LATEST,
  loadManifest,
  type Manifest,
  manifestPath,
  type TableFiles,
} from '../endpoints/tables/manifest.ts';
import type { DatasetTable } from '../endpoints/tables/table.ts';
import type { Clock } from '../platform/clock.ts';
import { renameDurably, syncFolder, syncTree } from '../platform/durable-files.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Db, SnapshotView } from '../storage/db.ts';
import { acquireLock, StoreHeldError } from '../storage/folder/lock.ts';
import { columnsOf, printColumnType } from './columns.ts';
import { writeParquet } from './parquet-file.ts';
import { loadPeriods, type Period } from './periods.ts';
import { readRows } from './read-rows.ts';
import { writeFileAtomically } from './write-file.ts';

export interface SetOptions {
  /** Folder of the sets, created if missing. */
  folder: string;
  clock: Clock;
  /** Sources whose data is left out. */
  withheld?: readonly string[];
  /** Interrupts the export. */
  signal?: AbortSignal;
}

export interface WrittenSet {
  manifest: Manifest;
  /** Folder of the set. */
  path: string;
  /** Files that were written, out of all files of the set. */
  written: number;
}

/** Another process, or another task of this one, is writing to the same folder. */
export class ExportRunningError extends Error {
  constructor(folder: string, { pid, host, openedAt }: StoreHeldError['holder']) {
    super(
      `another export has been writing to ${folder} since ${openedAt} (process ${pid} on ${host}). If ` +
        `that machine or container is gone for good, delete the newest lock-*.json in this folder`,
    );
    this.name = 'ExportRunningError';
  }
}

/** Increase it if the same rows are written differently, so that all files are written again. */
const WRITER_VERSION = 1;
/** Suffix of a set that is not complete. */
const PART = '.part';
const PROGRESS = 'progress.ndjson';

/**
 * Writes a complete set of Parquet files of one consistent snapshot. Files whose rows have not
 * changed since the newest set, or since an export that was interrupted, are linked instead. The
 * set appears as a whole: until then, `latest` leads to the one before.
 */
export async function exportSet(
  db: Pick<Db, 'readSnapshot'>,
  tables: readonly DatasetTable[],
  options: SetOptions,
): Promise<WrittenSet> {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  const lock = await acquireLock(folder).catch((error: unknown) => {
    throw error instanceof StoreHeldError ? new ExportRunningError(folder, error.holder) : error;
  });
  try {
    return await new SetWriter(options).write(db, tables);
  } finally {
    await lock.release();
  }
}

/** A file of an earlier export that may be used again. */
interface EarlierFile extends DataFile {
  path: string;
  misfits: { rounded: number; tooLarge: number };
}

class SetWriter {
  readonly #folder: string;
  readonly #withheld: readonly string[];
  readonly #signal: AbortSignal | undefined;
  readonly #clock: Clock;
  #exportedAt = '';
  #name = '';
  #part = '';
  readonly #earlier = new Map<string, EarlierFile>();
  #written = 0;

  constructor({ folder, clock, withheld = [], signal }: SetOptions) {
    this.#signal = signal;
    this.#folder = folder;
    this.#withheld = withheld;
    this.#clock = clock;
  }

  async write(db: Pick<Db, 'readSnapshot'>, tables: readonly DatasetTable[]): Promise<WrittenSet> {
    await this.#findEarlierFiles();
    await this.#openPart();
    const written = await db.readSnapshot(async (view) => {
      const results: TableFiles[] = [];
      for (const table of tables) results.push(await this.#writeTable(view, table));
      return results;
    });
    const manifest = { format: 'parquet' as const, exportedAt: this.#exportedAt, tables: written };
    await this.#publish(manifest);
    return { manifest, path: join(this.#folder, this.#name), written: this.#written };
  }

  /** Creates the folder of the new set, which is named after the time of the export. */
  async #openPart(): Promise<void> {
    const names = new Set(await readdir(this.#folder));
    let at = this.#clock.now();
    const nameOf = (): string => new Date(at).toISOString().replaceAll(/[-:.]/g, '');
    while (names.has(nameOf()) || names.has(`${nameOf()}${PART}`)) at += 1;
    this.#exportedAt = formatInstant(at);
    this.#name = nameOf();
    this.#part = join(this.#folder, `${this.#name}${PART}`);
    await mkdir(this.#part);
  }

  /** Collects the files of the newest set, and those that interrupted exports completed. */
  async #findEarlierFiles(): Promise<void> {
    const latest = join(this.#folder, LATEST);
    for (const { dataset, files, ...misfits } of (await loadManifest(latest))?.tables ?? []) {
      for (const file of files) this.#remember(dataset, { ...file, misfits }, latest);
    }
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(PART)) continue;
      const part = join(this.#folder, name);
      const progress = await readFile(join(part, PROGRESS), 'utf8').catch(() => '');
      for (const line of progress.split('\n').slice(0, -1)) {
        const noted = parseProgress(line);
        if (noted === null) continue;
        const { dataset, ...file } = noted;
        this.#remember(dataset, file, part);
      }
    }
  }

  #remember(dataset: string, file: Omit<EarlierFile, 'path'>, set: string): void {
    if (file.fingerprint === null) return;
    const key = `${dataset}/${file.file}/${file.fingerprint}`;
    this.#earlier.set(key, { ...file, path: join(set, dataset, file.file) });
  }

  async #writeTable(view: SnapshotView, table: DatasetTable): Promise<TableFiles> {
    const columns = columnsOf(table);
    const shown = columns.map(({ name, type }) => ({ name, type: printColumnType(type) }));
    const settings = JSON.stringify([WRITER_VERSION, shown, this.#withheld.toSorted()]);
    await mkdir(join(this.#part, table.name), { recursive: true });
    const files: DataFile[] = [];
    const total = { rounded: 0, tooLarge: 0 };
    for (const period of await loadPeriods(view, table)) {
      const fingerprint = period.state === null ? null : hash(`${settings}${period.state}`);
      const earlier = this.#earlier.get(`${table.name}/${period.file}/${fingerprint ?? ''}`);
      const { misfits, ...file } =
        earlier === undefined
          ? await this.#writeFile(view, table, period, fingerprint)
          : await this.#linkFile(table, earlier);
      total.rounded += misfits.rounded;
      total.tooLarge += misfits.tooLarge;
      files.push(file);
    }
    return { dataset: table.name, columns: shown, ...total, files };
  }

  async #writeFile(
    view: SnapshotView,
    table: DatasetTable,
    { file, from, to, isUndated }: Period,
    fingerprint: string | null,
  ): Promise<DataFile & Pick<EarlierFile, 'misfits'>> {
    const filter = { allVersions: true, from, to, isUndated, withheld: this.#withheld };
    const path = join(this.#part, table.name, file);
    const { result, ...written } = await writeFileAtomically(path, (append) =>
      writeParquet(columnsOf(table), readRows(view, table, filter), (bytes) => {
        this.#signal?.throwIfAborted();
        return append(bytes);
      }),
    );
    const { rows, misfits } = result;
    this.#written += 1;
    const writtenAt = this.#exportedAt;
    const described = { file, from, to, rows, ...written, writtenAt, fingerprint, misfits };
    await this.#noteProgress(table, described);
    return described;
  }

  async #linkFile(
    table: DatasetTable,
    { path, ...file }: EarlierFile,
  ): Promise<DataFile & Pick<EarlierFile, 'misfits'>> {
    const target = join(this.#part, table.name, file.file);
    // Not every file system has links to files.
    await link(path, target).catch(() => copyFile(path, target));
    await syncFolder(dirname(target));
    await this.#noteProgress(table, file);
    return file;
  }

  /** An export that is interrupted continues with the files noted here. */
  async #noteProgress({ name }: DatasetTable, file: object): Promise<void> {
    await appendFile(join(this.#part, PROGRESS), `${JSON.stringify({ dataset: name, ...file })}\n`);
  }

  async #publish(manifest: Manifest): Promise<void> {
    await writeFileAtomically(manifestPath(this.#part), (append) =>
      append(Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)),
    );
    await rm(join(this.#part, PROGRESS));
    await syncTree(this.#part);
    await renameDurably(this.#part, join(this.#folder, this.#name));
    const latest = join(this.#folder, LATEST);
    // A reader may still have files of the set before open.
    const before = await readlink(latest).catch(() => null);
    const next = `${latest}${PART}`;
    await rm(next, { force: true });
    await symlink(this.#name, next, 'junction');
    await renameDurably(next, latest);
    for (const name of await readdir(this.#folder)) {
      if (!SET_NAME.test(name) || name === this.#name || name === before) continue;
      await rm(join(this.#folder, name), { recursive: true });
    }
  }
}

/** Returns null for a damaged line, which a power failure may leave at the end of the file. */
function parseProgress(line: string): (EarlierFile & { dataset: string }) | null {
  try {
    return JSON.parse(line) as EarlierFile & { dataset: string };
  } catch {
    return null;
  }
}

const SET_NAME = /^\d{8}T\d{9}Z(\.part)?$/;

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
