import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
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
  if (!options.mayReplace && (await isThere(file))) {
    throw new BackupError(`${file} is there already: name another`);
  }
  const draft = `${file}.part`;
  const handle = await openDraft(draft);
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
    await rename(draft, file);
    return sizeBytes;
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
}

/** What is in it is as secret as the store. */
async function openDraft(draft: string): ReturnType<typeof open> {
  try {
    return await open(draft, 'w', 0o600);
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
