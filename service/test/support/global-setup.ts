import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedFolder, snapshotFile } from './stores.ts';

/**
 * Runs once before all test files. Creates the shared store templates and a folder for this run's stores.
 * The folder is removed at the end.
 */
export async function setup(): Promise<() => void> {
  process.env['STORE_SEED'] = await seedFolder('empty');
  process.env['MIGRATED_STORE_SEED'] = await seedFolder('migrated');
  await snapshotFile();
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-made-'));
  process.env['MADE_STORES'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
