import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { type BackupManifest, parseManifest } from './manifest.ts';
import { renderTrailer, TRAILER_BYTES } from './checksum-trailer.ts';
import { parseTarHead, TAR_BLOCK_BYTES } from './tar.ts';

const decompress = promisify(zstdDecompress);
const READ_BYTES = 4 * 1024 * 1024;

/** A complete backup whose checksum has been verified. */
export interface Archive {
  manifest: BackupManifest;
  /** Content of the secrets-key file; null if the backup doesn't include it. */
  secretsKey: Uint8Array | null;
  sizeBytes: number;
  /** Yields the rows in parts, in COPY's text format and in the manifest's order. */
  parts(): AsyncGenerator<{ table: string; lines: string }, void>;
  close(): Promise<void>;
}

/**
 * Opens an archive and verifies the checksum of the whole file. Throws BackupError if the file
 * isn't an intact backup.
 */
export async function openArchive(file: string): Promise<Archive> {
  const handle = await openFile(file);
  try {
    const stats = await handle.stat();
    // Opening a directory succeeds; only reading it fails.
    if (stats.isDirectory()) {
      throw new BackupError(`${file} is a folder: choose the backup file in it`);
    }
    const sizeBytes = stats.size;
    const end = sizeBytes - TRAILER_BYTES;
    const [first] = await firstEntries(handle, sizeBytes);
    if (first?.name !== 'manifest.json') {
      throw new BackupError(`${file} is not a backup of this service`);
    }
    await verifyChecksum(handle, file, end);
    let secretsKey: Uint8Array | null = null;
    const manifest = parseManifest((await readBytes(handle, first.at, first.sizeBytes)).toString());
    for await (const entry of entriesOf(handle, first.next, end)) {
      if (entry.name === 'secrets-key') {
        secretsKey = await readBytes(handle, entry.at, entry.sizeBytes);
      }
      break;
    }
    return {
      manifest,
      secretsKey,
      sizeBytes,
      async *parts() {
        for await (const entry of entriesOf(handle, first.next, end)) {
          const table = /^tables\/([^/]+)\/\d+\.copy\.zst$/.exec(entry.name)?.[1];
          if (table === undefined) continue;
          const packed = await readBytes(handle, entry.at, entry.sizeBytes);
          yield {
            table,
            lines: (await decompress(packed)).toString(),
          };
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Compares the trailer byte by byte, so every bit of the file is covered. */
async function verifyChecksum(handle: FileHandle, file: string, end: number): Promise<void> {
  const hash = createHash('sha256');
  for (let at = 0; at < end; at += READ_BYTES) {
    hash.update(await readBytes(handle, at, Math.min(READ_BYTES, end - at)));
  }
  const expected = renderTrailer(hash.digest('hex'));
  const trailer = end < 0 ? Buffer.alloc(0) : await readBytes(handle, end, TRAILER_BYTES);
  if (trailer.equals(expected)) return;
  throw new BackupError(
    `${file} is damaged: it was truncated or changed. Nothing was restored; use another copy`,
  );
}

interface Entry {
  name: string;
  /** Offset at which the file's bytes begin. */
  at: number;
  sizeBytes: number;
  /** Offset at which the next file's header begins. */
  next: number;
}

async function firstEntries(handle: FileHandle, sizeBytes: number): Promise<Entry[]> {
  for await (const entry of entriesOf(handle, 0, sizeBytes)) return [entry];
  return [];
}

async function* entriesOf(
  handle: FileHandle,
  from: number,
  end: number,
): AsyncGenerator<Entry, void> {
  for (let at = from; at + TAR_BLOCK_BYTES <= end;) {
    const head = parseTarHead(await readBytes(handle, at, TAR_BLOCK_BYTES));
    if (head === null) return;
    const bytesAt = at + TAR_BLOCK_BYTES;
    const next = bytesAt + Math.ceil(head.sizeBytes / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
    yield { ...head, at: bytesAt, next };
    at = next;
  }
}

async function readBytes(handle: FileHandle, at: number, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(sizeBytes);
  for (let bytesSoFar = 0; bytesSoFar < sizeBytes;) {
    const { bytesRead } = await handle.read(
      bytes,
      bytesSoFar,
      sizeBytes - bytesSoFar,
      at + bytesSoFar,
    );
    if (bytesRead === 0) throw new BackupError('the backup was truncated while it was read');
    bytesSoFar += bytesRead;
  }
  return bytes;
}
