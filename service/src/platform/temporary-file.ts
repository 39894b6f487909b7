import { type FileHandle, open } from 'node:fs/promises';

/**
 * Maximum number of temporary files for one target, including those left behind by killed writers.
 */
const TEMPORARY_FILES_MAX = 100;

/**
 * Opens a temporary file for an atomic write. Rename it to `file` once it is complete. An existing
 * temporary file may belong to another writer, so the name is unique, such as `a.tar.part` or
 * `a.tar.2.part`.
 */
export async function openTemporaryFile(
  file: string,
  mode?: number,
): Promise<{ path: string; handle: FileHandle }> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${file}.part` : `${file}.${number}.part`;
    try {
      return { path, handle: await open(path, 'wx', mode) };
    } catch (error) {
      const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'EEXIST';
      if (!isTaken || number === TEMPORARY_FILES_MAX) throw error;
    }
  }
}
