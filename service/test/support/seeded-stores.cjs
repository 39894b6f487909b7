'use strict';
const { cpSync, existsSync, rmSync } = require('node:fs');
const { workerData } = require('node:worker_threads');

/**
 * Loaded into a program by `--require`: an embedded store that it makes on disk begins as a copy of
 * the folder that STORE_SEED names, which holds what the engine makes of an empty one and nothing of
 * ours. Making it takes five seconds of a processor, and the tests begin many. Not TypeScript:
 * every process and thread loads it, and would load what strips types first.
 */
const seed = process.env['STORE_SEED'] ?? '';
// Null where this is no thread of a store; what starts from a snapshot needs no other start.
const isToBegin = workerData?.dataDir !== undefined && workerData.snapshotFile === undefined;
const dataDir = isToBegin ? String(workerData.dataDir) : 'memory:';
if (seed !== '' && !dataDir.startsWith('memory:') && !existsSync(dataDir)) {
  try {
    cpSync(seed, dataDir, { recursive: true });
  } catch {
    // No room, or nowhere to write: the engine says so in its own words.
    rmSync(dataDir, { recursive: true, force: true });
  }
}
