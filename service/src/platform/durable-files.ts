import { link, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A disk flushes many files at once for the price of one, so several syncs run at a time. */
const CONCURRENT_SYNCS = 16;

/**
 * Creates a folder and its missing parents so that they survive a power failure. An existing folder
 * is left as it is.
 */
export async function makeFolderDurably(folder: string, mode?: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let path = resolve(folder); ; path = dirname(path)) {
    await syncFolder(dirname(path));
    if (path === resolve(first)) return;
  }
}

/** Renames a file or folder within its folder so that the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/**
 * Writes a file atomically and durably unless it exists. If two processes race, one creates the
 * file and the other never reads a partial one. A full disk leaves no empty file behind.
 */
export async function writeFileOnce(
  path: string,
  temporaryPath: string,
  content: string | Uint8Array,
): Promise<void> {
  try {
    const handle = await open(temporaryPath, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporaryPath, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(temporaryPath).catch(() => undefined);
  }
  await syncFolder(dirname(path));
}

/**
 * Syncs the entries of a folder. Syncing a file does not make its name durable: after a power
 * failure, a created, renamed or removed file may have its earlier name until its folder is synced.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders and keeps their entries in a journal.
  if (process.platform !== 'win32') await syncPath(folder);
}

/** Syncs every file and folder below `root`, and `root` itself. */
export async function syncTree(root: string): Promise<void> {
  const paths = [root];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const isSyncable = entry.isFile() || (entry.isDirectory() && process.platform !== 'win32');
    if (isSyncable) paths.push(join(entry.parentPath, entry.name));
  }
  const syncNext = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SYNCS }, syncNext));
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
