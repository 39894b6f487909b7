import { access, chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The data folder of the engine inside a store's folder. */
export function engineFolder(folder: string): string {
  return join(folder, 'pg');
}

/**
 * Creates the folder of an embedded store, or restricts an existing one to its owner. Its files
 * hold account data, and the engine creates some of them world-writable. The umask, an older
 * release or a person may have loosened the mode.
 */
export async function createPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** A file that exists in the engine's folder as long as it holds a store. */
export function versionFile(folder: string): string {
  return join(engineFolder(folder), 'PG_VERSION');
}

/** An inaccessible store counts as existing. Opening it reports the reason. */
export async function hasStore(folder: string): Promise<boolean> {
  try {
    await access(versionFile(folder));
    return true;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
