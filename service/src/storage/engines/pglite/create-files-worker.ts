import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { engineReason } from '../../errors.ts';

// Thread that creates the engine's files in the folder `dataDir` and ends.
const { dataDir } = workerData as { dataDir: string };
try {
  const store = await PGlite.create({
    dataDir,
    // Creating files takes less memory with few buffers. The engine is started with more.
    initDbStartParams: ['--set=shared_buffers=4MB'],
  });
  await store.close();
} catch (error) {
  // The engine's errors are not all `Error` objects.
  throw error instanceof Error ? error : new Error(engineReason(error));
}
