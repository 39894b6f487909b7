import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { openTemporaryFile } from '../../platform/temporary-file.ts';
import { BackupError } from './backup-error.ts';
import { renderSeal } from './seal.ts';
import { renderTarHead, tarPadding } from './tar.ts';

export interface ArchiveWriter {
  /** Adds one file; the next is added when it has resolved. */
  add(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Writes an archive that is there whole or not at all: under another name until it is on the disk.
 * Returns its size in bytes. Throws BackupError when something has that name already.
 */
export async function writeArchive(
  file: string,
  options: { atSeconds: number; mayReplace: boolean },
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  await refuseTaken(file, options);
  const { path: draft, handle } = await openDraft(file, options);
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
    const seal = renderSeal(hash.copy().digest('hex'));
    await write(seal);
    await handle.sync();
    await handle.close();
    // Another backup may have been faster.
    await refuseTaken(file, options);
    await rename(draft, file);
    return sizeBytes;
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}

async function refuseTaken(file: string, { mayReplace }: { mayReplace: boolean }): Promise<void> {
  if (mayReplace || !(await isThere(file))) return;
  throw new BackupError(`${file} is there already: name another`);
}

/**
 * What is in it is as secret as the store. Who may replace the file has it for itself, and writes over
 * what an attempt before left.
 */
async function openDraft(
  file: string,
  { mayReplace }: { mayReplace: boolean },
): ReturnType<typeof openTemporaryFile> {
  const draft = `${file}.part`;
  try {
    if (mayReplace) return { path: draft, handle: await open(draft, 'w', 0o600) };
    return await openTemporaryFile(file, 0o600);
  } catch (error) {
    throw new BackupError(`${draft} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
