import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { renameDurably } from '../platform/durable-files.ts';
import { openTemporaryFile } from '../platform/temporary-file.ts';

export type AppendBytes = (bytes: Uint8Array) => Promise<void>;

export interface WrittenFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a file. It appears under its name only when it is complete and on disk. */
export async function writeFileAtomically<Result>(
  path: string,
  fill: (append: AppendBytes) => Promise<Result>,
): Promise<WrittenFile & { result: Result }> {
  const { path: temporaryPath, handle } = await openTemporaryFile(path);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const result = await fill(async (bytes) => {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await handle.appendFile(bytes);
    });
    await handle.sync();
    await handle.close();
    await renameDurably(temporaryPath, path);
    return { sizeBytes, sha256: hash.digest('hex'), result };
  } catch (error) {
    await handle.close();
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
