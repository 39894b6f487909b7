import { access, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolderDurably } from '../../platform/durable-files.ts';

/** Returns the engine's data folder inside a store's folder. */
export function engineFolder(folder: string): string {
  return join(folder, 'pg');
}

/**
 * Creates the folder for an embedded store, or makes an existing one private to its owner. Its
 * files contain account data, and the engine creates some of them world-writable. An existing
 * folder may be too open because of the umask, an older release or a manual change.
 */
export async function createPrivateFolder(folder: string): Promise<void> {
  await makeFolderDurably(folder, 0o700);
  await chmod(folder, 0o700);
}

/**
 * Returns the path of a file that is present in the engine's folder whenever it contains a store.
 */
export function versionFile(folder: string): string {
  return join(engineFolder(folder), 'PG_VERSION');
}

/**
 * Returns true if the folder contains a store, even an inaccessible one. Opening the store then
 * reports the reason.
 */
export async function hasStore(folder: string): Promise<boolean> {
  try {
    await access(versionFile(folder));
    return true;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
