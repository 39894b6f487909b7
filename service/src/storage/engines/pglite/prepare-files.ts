import { once } from 'node:events';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { renameDurably, syncTree } from '../../../platform/durable-files.ts';
import { StoreDamagedError } from '../../errors.ts';
import { mayOptimize, setOptimizing } from './optimization.ts';

/**
 * Creates the engine's folder if there is none, and makes an existing one ready to be opened. With
 * `syncs`, every file in it is then durable, including those that a killed process or one without
 * syncs has left.
 */
export async function prepareFiles(dataDir: string, syncs: boolean): Promise<void> {
  if (!(await exists(join(dataDir, 'PG_VERSION')))) return createFiles(dataDir, syncs);
  // The folder's lock already excludes other processes. After a power failure this file may be
  // empty, and the engine would refuse to start.
  await rm(join(dataDir, 'postmaster.pid'), { force: true });
  if (syncs) await syncTree(dataDir);
}

/**
 * Creates the folder under a temporary name, so that an interrupted first start leaves no partial
 * store behind.
 */
async function createFiles(dataDir: string, syncs: boolean): Promise<void> {
  if (!(await isEmpty(dataDir))) throw new StoreDamagedError('the file pg/PG_VERSION is missing');
  const draft = `${dataDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await runCreation(draft);
  if (syncs) await syncTree(draft);
  await renameDurably(draft, dataDir);
}

/**
 * Runs in its own thread, whose memory is released when it ends. Code that runs once is not worth
 * optimizing, which would take 0.5 GB more.
 */
async function runCreation(dataDir: string): Promise<void> {
  const file = import.meta.url.endsWith('.ts')
    ? './create-files-worker.ts'
    : './create-files-worker.js';
  setOptimizing(false);
  try {
    const thread = new Worker(new URL(file, import.meta.url), { workerData: { dataDir } });
    await once(thread, 'exit');
  } finally {
    if (mayOptimize()) setOptimizing(true);
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.length === 0;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
