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
  /** Data directory, owned by the server's account. */
  data: string;
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

/** Starts a server with default durability, which syncs its write-ahead log at every commit. */
export async function killablePostgres(): Promise<KillablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-postgres-'));
  await chmod(folder, 0o755);
  const cluster = makeCluster(folder);
  const port = await freePort();
  const url = `postgres://afterbell@127.0.0.1:${port}/postgres`;
  let server = run(cluster, folder, port);
  await untilReady();

  async function untilReady(): Promise<void> {
    const endsMs = clock.monotonicMs() + START_MS_MAX;
    while (clock.monotonicMs() < endsMs) {
      // The remains of a killed server may briefly prevent the next start.
      if (hasEnded(server)) server = run(cluster, folder, port);
      if (await isAccepting(url)) return;
      await clock.sleep(CHECK_INTERVAL_MS);
    }
    const output = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
    throw new Error(`PostgreSQL did not restart:\n${output.slice(-2_000)}`);
  }

  async function kill(kind: KillKind): Promise<void> {
    if (hasEnded(server)) return;
    const ended = once(server, 'exit');
    if (kind === 'kill') {
      // Stopping the server keeps it from forking processes while its children are listed. A missed
      // child could wait forever for a lock held by a killed one, and block the next start.
      server.kill('SIGSTOP');
      for (const pid of await childrenOf(server.pid)) killIfRunning(pid);
    }
    server.kill(kind === 'kill' ? 'SIGKILL' : 'SIGQUIT');
    await ended;
  }

  return {
    url,
    port,
    data: cluster.data,
    kill,
    async start({ waitsUntilReady } = { waitsUntilReady: true }) {
      if (hasEnded(server)) server = run(cluster, folder, port);
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

function run({ bin, data, user }: Cluster, folder: string, port: number): ChildProcess {
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
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
