import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { broken, type Check, ok, skipped, warning } from './check.ts';

const MIB = 1024 * 1024;
/** Below this the next sweep may not fit; a day of all sources takes some tens of MiB. */
const FREE_MIB_MIN = 256;
const FREE_MIB_LOW = 2048;

/** Room on the disk of the data folder. */
export async function checkDisk(folder: string): Promise<Check> {
  const free = await freeMib(folder);
  if (free === null) return skipped('disk', `the room left for ${folder} is not known`);
  const room = `${Math.floor(free)} MiB free for ${folder}`;
  const mend = 'make room, or move DATA_DIR to a larger disk';
  if (free < FREE_MIB_MIN) return broken('disk', room, mend);
  return free < FREE_MIB_LOW ? warning('disk', room, mend) : ok('disk', room);
}

/** Of the nearest folder above that is there. */
async function freeMib(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return (bavail * bsize) / MIB;
  } catch {
    return dirname(folder) === folder ? null : freeMib(dirname(folder));
  }
}
