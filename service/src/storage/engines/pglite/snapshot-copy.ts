import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SnapshotView } from '../../db.ts';
import type { PgliteDb } from './pglite.ts';
import type { WorkerOptions } from './worker-protocol.ts';

const PREFIX = 'frozen-';

/**
 * PGlite has one connection: a transaction that reads for minutes would stop everything else. So its
 * files are copied, which stops it for as long as the disk takes, and the copy is read in a thread of
 * its own. It stands beside the store and is gone afterwards.
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
      // As `copyFiles` does: else counters would come out of the recovery some numbers ahead.
      await store.execute('checkpoint');
      await store.dump(files);
    } else await store.copyFiles(files);
    const copy = await open(isInMemory ? { dataDir, snapshotFile: files } : { dataDir: files });
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

/** Takes away copies whose process was killed; whoever calls holds the store's lock. */
export async function removeSnapshotCopies(storeFolder: string): Promise<void> {
  for (const name of await readdir(storeFolder)) {
    if (name.startsWith(PREFIX)) await rm(join(storeFolder, name), { recursive: true });
  }
}
