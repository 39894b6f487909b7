import { seedFolder, snapshotFile } from './stores.ts';

/** Once before all test files: what many of them start from is made, instead of by several at once. */
export async function setup(): Promise<void> {
  process.env['STORE_SEED'] = await seedFolder();
  await snapshotFile();
}
