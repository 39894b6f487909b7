import { cpSync, existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

/**
 * Loaded into a program by `--import`: an embedded store that it makes on disk begins as a copy of
 * the folder that STORE_SEED names, which holds what the engine makes of an empty one and nothing of
 * ours. Making it takes five seconds of a processor, and the tests begin a hundred.
 */
const seed = process.env['STORE_SEED'] ?? '';
const { dataDir = 'memory:' } = (isMainThread ? {} : (workerData ?? {})) as { dataDir?: string };
if (seed !== '' && !dataDir.startsWith('memory:') && !existsSync(dataDir)) {
  try {
    cpSync(seed, dataDir, { recursive: true });
  } catch {
    // No room, or nowhere to write: the engine says so in its own words.
    rmSync(dataDir, { recursive: true, force: true });
  }
}
