'use strict';
const { cpSync, existsSync, rmSync } = require('node:fs');
const { workerData } = require('node:worker_threads');

/**
 * Preloaded with `--require`: a new embedded store on disk starts as a copy of the folder
 * STORE_SEED. Initializing one takes five seconds of CPU time, and the tests create many. CommonJS,
 * because every process and thread loads it, and TypeScript would also load the type stripper.
 */
const seed = process.env['STORE_SEED'] ?? '';
// Undefined outside a store's thread. A store that starts from a snapshot needs no copy.
const isToBegin = workerData?.dataDir !== undefined && workerData.snapshotFile === undefined;
const dataDir = isToBegin ? String(workerData.dataDir) : 'memory:';
if (seed !== '' && !dataDir.startsWith('memory:') && !existsSync(dataDir)) {
  try {
    cpSync(seed, dataDir, { recursive: true });
  } catch {
    // The disk is full or read-only. The engine reports the error itself.
    rmSync(dataDir, { recursive: true, force: true });
  }
}
