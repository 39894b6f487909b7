import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import { type Cluster, freePort, makeCluster } from './postgres-cluster.ts';

/** `immediate` is PostgreSQL's immediate shutdown. `kill` sends SIGKILL to all server processes. */
export type KillKind = 'immediate' | 'kill';

/** A separate PostgreSQL server that a test may kill repeatedly. */
export interface KillablePostgres {
  url: string;
  port: number;
  cluster: Cluster;
  kill(kind: KillKind): Promise<void>;
  /**
   * Resolves when the server accepts queries. If `waitsUntilReady` is false, resolves as soon as
   * the server is started, while it recovers.
   */
  start(options?: { waitsUntilReady: boolean }): Promise<void>;
  /** Shuts the server down and removes its data. */
  close(): Promise<void>;
}

const clock = systemClock();
const START_MS_MAX = 60_000;
const CHECK_INTERVAL_MS = 50;

/**
 * Starts a server with default durability, which syncs its write-ahead log at every commit. `make`
 * creates its cluster in a folder, an empty one by default. `settings` are its settings.
 */
export async function killablePostgres(
  make: (folder: string) => Cluster | Promise<Cluster> = makeCluster,
  settings: Readonly<Record<string, string>> = {},
): Promise<KillablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-postgres-'));
  await chmod(folder, 0o755);
  const cluster = await make(folder);
  const port = await freePort();
  const url = `postgres://afterbell@127.0.0.1:${port}/postgres`;
  const start = () => run(cluster, { folder, port, settings });
  let server = start();
  await untilReady();

  async function untilReady(): Promise<void> {
    const endsMs = clock.monotonicMs() + START_MS_MAX;
    while (clock.monotonicMs() < endsMs) {
      // The remains of a killed server may briefly prevent the next start.
      if (hasEnded(server)) server = start();
      if (await isAccepting(url)) return;
      await clock.sleep(CHECK_INTERVAL_MS);
    }
    const output = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
    throw new Error(`PostgreSQL did not restart:\n${output.slice(-2_000)}`);
  }

  async function kill(kind: KillKind): Promise<void> {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    if (kind === 'kill') await killServer(server.pid ?? 0);
    else server.kill('SIGQUIT');
    await ended;
  }

  return {
    url,
    port,
    cluster,
    kill,
    async start({ waitsUntilReady } = { waitsUntilReady: true }) {
      if (hasEnded(server)) server = start();
      if (waitsUntilReady) await untilReady();
    },
    async close() {
      const ended = once(server, 'exit');
      if (!hasEnded(server) && server.kill('SIGINT')) await ended;
      await rm(folder, {
        recursive: true,
        force: true,
      });
    },
  };
}

/** Sends SIGKILL to a server and to its processes. */
export async function killServer(pid: number): Promise<void> {
  // Stopping the server keeps it from forking processes while its children are listed. A missed child
  // could wait forever for a lock held by a killed one, and block the next start.
  process.kill(pid, 'SIGSTOP');
  for (const child of await childrenOf(pid)) killIfRunning(child);
  process.kill(pid, 'SIGKILL');
}

function run(
  { bin, data, user }: Cluster,
  { folder, port, settings }: { folder: string; port: number; settings: Record<string, string> },
): ChildProcess {
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
  for (const [name, value] of Object.entries(settings)) options.push('-c', `${name}=${value}`);
  const log = openSync(join(folder, 'log'), 'a');
  const stdio = ['ignore', log, log] as const;
  const server = spawn(join(bin, 'postgres'), options, { ...user, cwd: folder, stdio: [...stdio] });
  closeSync(log);
  return server;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function isAccepting(url: string): Promise<boolean> {
  const db = openPostgres({ url, poolSize: 1 });
  const isReady = await db.query('select 1').then(
    () => true,
    () => false,
  );
  await db.close();
  return isReady;
}

/**
 * Returns the parent's child processes. Each child leads its own process group, so they are found
 * by their parent's id. Without /proc, most children end automatically when the parent is gone.
 */
async function childrenOf(parent: number | undefined): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const children: number[] = [];
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The format is `pid (name) state parent …`. The name may contain spaces and brackets.
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(pid));
  }
  return children;
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
