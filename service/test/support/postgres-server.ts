import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { systemClock } from '../../src/platform/clock.ts';
import type { ServerResult } from './postgres-runner.ts';

/**
 * Returns the URL of a PostgreSQL server for tests, or the reason why there is none. The URL comes
 * from AFTERBELL_TEST_POSTGRES_URL. Without that variable, the first caller starts a server for
 * this test run.
 */
export async function postgresServer(): Promise<ServerResult> {
  const configuredUrl = process.env['AFTERBELL_TEST_POSTGRES_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') return { url: configuredUrl };
  // All test files in a run have the same parent process, so its PID identifies the run.
  const run = isMainThread ? process.ppid : process.pid;
  const folder = join(tmpdir(), `afterbell-postgres-${run}`);
  if (await createFolder(folder)) {
    const runner = fileURLToPath(new URL('./postgres-runner.ts', import.meta.url));
    spawn(process.execPath, [runner, folder, String(run)], {
      detached: true,
      stdio: 'ignore',
    }).unref();
  }
  return awaitResult(join(folder, 'result.json'));
}

/** Returns true if this call created the folder, in which case its caller starts the server. */
async function createFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST') return false;
    throw error;
  }
}

async function awaitResult(file: string): Promise<ServerResult> {
  const clock = systemClock();
  for (let round = 0; round < 900; round += 1) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as ServerResult;
    await clock.sleep(100);
  }
  return { missing: 'The test server did not start within 90 s.' };
}
