import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import { freePort, makeCluster } from './postgres-cluster.ts';

/**
 * A separate process that runs a PostgreSQL server for one test run. Arguments: FOLDER PARENT_PID.
 * Writes the URL, or the reason why there is none, to `FOLDER/result.json`. Stops the server and
 * removes the folder once the parent process has ended, even if it was killed.
 */
export type ServerResult = { url: string } | { missing: string };

const clock = systemClock();

async function main(folder: string, parentPid: number): Promise<void> {
  let server: ChildProcess | undefined;
  try {
    const running = await start(folder);
    server = running.server;
    writeResult(folder, { url: running.url });
  } catch (error) {
    writeResult(folder, { missing: error instanceof Error ? error.message : String(error) });
  }
  while (isRunning(parentPid)) await clock.sleep(500);
  if (server !== undefined) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // SIGINT is a fast shutdown. SIGQUIT would leave shared memory behind.
    if (server.exitCode === null && server.kill('SIGINT')) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function start(folder: string): Promise<{ server: ChildProcess; url: string }> {
  const { bin, data, user } = makeCluster(folder);
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      '',
      '-F',
      '-c',
      'max_connections=200',
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://afterbell@127.0.0.1:${port}/postgres`;
  await untilReady(server, url);
  return { server, url };
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL exited with ${server.exitCode}.`);
    const db = openPostgres({ url, poolSize: 1 });
    const ready = await db.query('select 1').then(
      () => true,
      () => false,
    );
    await db.close();
    if (ready) return;
    await clock.sleep(100);
  }
  server.kill('SIGINT');
  throw new Error('PostgreSQL did not accept queries within 30 s.');
}

function writeResult(folder: string, content: ServerResult): void {
  writeFileSync(join(folder, 'result.tmp'), JSON.stringify(content));
  renameSync(join(folder, 'result.tmp'), join(folder, 'result.json'));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const [folder, parentPid] = process.argv.slice(2);
if (folder === undefined || parentPid === undefined) throw new Error('Usage: FOLDER PARENT_PID');
await main(folder, Number(parentPid));
