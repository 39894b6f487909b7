import { createHash } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { renameDurably } from '../../platform/durable-files.ts';
import { openTemporaryFile } from '../../platform/temporary-file.ts';
import { BackupError } from './backup-error.ts';
import { renderTrailer } from './checksum-trailer.ts';
import { renderTarHead, tarPadding } from './tar.ts';

export interface ArchiveWriter {
  /** Adds one file. Await each call before adding the next file. */
  add(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Writes an archive atomically, under a temporary name until it is synced to disk. Returns its size
 * in bytes. Throws BackupError if the file already exists.
 */
export async function writeArchive(
  file: string,
  options: { atSeconds: number; mayReplace: boolean },
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  await rejectExisting(file, options);
  const { path: temporaryPath, handle } = await openTemporary(file, options);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await handle.appendFile(bytes);
    };
    await fill({
      async add(name, bytes) {
        await write(renderTarHead(name, bytes.byteLength, options.atSeconds));
        await write(bytes);
        await write(tarPadding(bytes.byteLength));
      },
    });
    const trailer = renderTrailer(hash.copy().digest('hex'));
    await write(trailer);
    await handle.sync();
    await handle.close();
    // Another backup to the same file may have finished first.
    await rejectExisting(file, options);
    await renameDurably(temporaryPath, file);
    return sizeBytes;
  } catch (error) {
    await handle.close();
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

async function rejectExisting(
  file: string,
  { mayReplace }: { mayReplace: boolean },
): Promise<void> {
  if (mayReplace || !(await exists(file))) return;
  throw new BackupError(`${file} already exists: choose another name`);
}

/**
 * Opens the temporary file, readable only by its owner because the archive is as secret as the
 * store. A caller that may replace the target file is its only writer, so leftovers from an earlier
 * attempt are overwritten.
 */
async function openTemporary(
  file: string,
  { mayReplace }: { mayReplace: boolean },
): ReturnType<typeof openTemporaryFile> {
  const temporaryPath = `${file}.part`;
  try {
    if (mayReplace) return { path: temporaryPath, handle: await open(temporaryPath, 'w', 0o600) };
    return await openTemporaryFile(file, 0o600);
  } catch (error) {
    throw new BackupError(`${temporaryPath} cannot be written: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
