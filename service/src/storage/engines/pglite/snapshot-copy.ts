import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SnapshotView } from '../../db.ts';
import type { PgliteDb, WorkerOptions } from './worker-protocol.ts';

const PREFIX = 'frozen-';

/**
 * Runs `work` on a copy of the store in a separate thread. PGlite has one connection, so a
 * transaction that reads for minutes would block all other calls. Copying the files blocks other
 * calls only while the disk copies them. The copy is created beside the store and removed
 * afterwards.
 */
export async function withSnapshotCopy<T>(
  options: {
    store: PgliteDb;
    dataDir: string;
    open(options: WorkerOptions): Promise<PgliteDb>;
  },
  work: (view: SnapshotView) => Promise<T>,
): Promise<T> {
  const { store, dataDir, open } = options;
  const isInMemory = dataDir.startsWith('memory:');
  const folder = await mkdtemp(join(isInMemory ? tmpdir() : dirname(dataDir), PREFIX));
  try {
    const files = join(folder, 'pg');
    if (isInMemory) {
      // Runs a checkpoint, as `copyFiles` does. Without it, sequences would skip some numbers after
      // recovery.
      await store.execute('checkpoint');
      await store.dump(files);
    } else await store.copyFiles(files);
    const location = isInMemory ? { dataDir, snapshotFile: files } : { dataDir: files };
    // Reads of the service go first where there are fewer processors than threads.
    const copy = await open({ ...location, isBackground: true });
    try {
      return await copy.transaction((tx) =>
        work({ query: (sql, params) => tx.query(sql, params), copyOut: (s) => copy.copyOut(s) }),
      );
    } finally {
      await copy.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the copies that killed processes left behind. The caller must hold the store's lock. */
export async function removeSnapshotCopies(storeFolder: string): Promise<void> {
  for (const name of await readdir(storeFolder)) {
    if (name.startsWith(PREFIX)) await rm(join(storeFolder, name), { recursive: true });
  }
}
