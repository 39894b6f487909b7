import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system that can be filled completely. */
export interface SmallDisk {
  /** Creates a folder on the disk with the same owner as `like`. */
  folder(name: string, like: string): string;
  fill(): void;
  free(): void;
  close(): void;
}

/**
 * Returns null if mounting is not permitted. It requires root, and some containers do not allow it.
 */
export function smallDisk(sizeMiB: number): SmallDisk | null {
  const root = mkdtempSync(join(tmpdir(), 'afterbell-disk-'));
  chmodSync(root, 0o755);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', root]);
  if (mounted.status !== 0) {
    rmSync(root, { recursive: true });
    return null;
  }
  chmodSync(root, 0o755);
  const ballast = join(root, 'ballast');

  return {
    folder(name, like) {
      const folder = join(root, name);
      mkdirSync(folder, { mode: 0o700 });
      const { uid, gid } = statSync(like);
      chownSync(folder, uid, gid);
      return folder;
    },
    fill() {
      const file = openSync(ballast, 'a');
      const block = Buffer.alloc(1 << 16, 1);
      for (let size = block.length; size >= 512; size /= 2) {
        while (isWritten(file, block.subarray(0, size))) continue;
      }
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    close() {
      spawnSync('umount', ['-l', root]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function isWritten(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch {
    return false;
  }
}
