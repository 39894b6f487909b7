import { type FileHandle, open } from 'node:fs/promises';

/** Drafts of one file that lie about: those of writers of now, and of some that were killed. */
const TEMPORARY_FILES_MAX = 100;

/**
 * Opens a draft of a file, to be renamed to it when it is whole: one that is there already may be
 * another writer's, so this one has a name of its own, such as `a.tar.part` or `a.tar.2.part`.
 */
export async function openTemporaryFile(
  file: string,
  mode?: number,
): Promise<{ path: string; handle: FileHandle }> {
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? `${file}.part` : `${file}.${n}.part`;
    try {
      return { path, handle: await open(path, 'wx', mode) };
    } catch (error) {
      const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'EEXIST';
      if (!isTaken || n === TEMPORARY_FILES_MAX) throw error;
    }
  }
}
