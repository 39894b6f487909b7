import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  totalBytes: number;
  /** What this process may still use. */
  freeBytes: number;
}

/** The disk that holds a folder; null when there is no such folder. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return null;
  }
}
