import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  totalBytes: number;
  /** Space available to this process. */
  freeBytes: number;
}

/** Returns the disk space for a folder, or null if the folder doesn't exist. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return null;
  }
}
