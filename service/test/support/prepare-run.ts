import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedFolder, snapshotFile } from './stores.ts';

/**
 * Once before all test files: what many of them start from is made, instead of by several at once,
 * and a folder in which they leave what only this run shares. That goes with the run.
 */
export async function setup(): Promise<() => void> {
  process.env['STORE_SEED'] = await seedFolder();
  await snapshotFile();
  const made = mkdtempSync(join(tmpdir(), 'afterbell-made-'));
  process.env['MADE_STORES'] = made;
  return () => rmSync(made, { recursive: true, force: true });
}
