import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SqlError, StoreDamagedError } from '../errors.ts';

/** Data corrupted, index corrupted, and file missing. */
const DAMAGE = new Set(['XX001', 'XX002', '58P01']);

/**
 * Returns an error that says what to do if the error means that the embedded store in the folder is
 * damaged. Otherwise returns the error itself.
 */
export async function explainDamage(folder: string, error: unknown): Promise<unknown> {
  const isDamage =
    error instanceof StoreDamagedError || (error instanceof SqlError && DAMAGE.has(error.sqlState));
  if (!isDamage) return error;
  const backup = await newestBackup(folder);
  const restore = `afterbell restore ${backup ?? 'BACKUP.tar'} --data-dir ${dirname(folder)}`;
  const hint =
    backup === null
      ? 'No backup from an upgrade is beside it.'
      : 'This is the newest backup from an upgrade. If you have a later one, restore that.';
  return new StoreDamagedError(
    `The embedded store in ${folder} is damaged: ${error.message}. A failing disk, a copy made ` +
      'while the store was open, or a changed or removed file may be the cause. Move the folder ' +
      `away and run: ${restore}. ${hint}`,
    { cause: error },
  );
}

/** Returns the newest backup that an upgrade left beside the folder, or null. */
async function newestBackup(folder: string): Promise<string | null> {
  const parent = dirname(folder);
  const backups: { file: string; writtenMs: number }[] = [];
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(folder)}.before-`) || !name.endsWith('.tar')) continue;
    const file = join(parent, name);
    backups.push({ file, writtenMs: (await stat(file)).mtimeMs });
  }
  return backups.toSorted((a, b) => b.writtenMs - a.writtenMs)[0]?.file ?? null;
}
