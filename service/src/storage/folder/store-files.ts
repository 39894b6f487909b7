import { access, chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the engine of an embedded store keeps its files. */
export function engineFolder(folder: string): string {
  return join(folder, 'pg');
}

/**
 * Makes the folder of an embedded store, or takes one that is there for its owner alone: its files
 * hold account data, and some the engine leaves for all to write. The umask, an older release or a
 * person may have made it looser.
 */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** The file that an engine's folder has as long as there is a store in it. */
export function versionFile(folder: string): string {
  return join(engineFolder(folder), 'PG_VERSION');
}

/** One that may not be looked at is there as well: opening it says why it cannot be. */
export async function hasStore(folder: string): Promise<boolean> {
  try {
    await access(versionFile(folder));
    return true;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
