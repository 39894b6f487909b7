import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import { freePort, serverUser } from './postgres-cluster.ts';
import { runSize } from './run-size.ts';

/** PgBouncer in one of its modes, or pgpool-II. */
export type PoolerKind = 'transaction' | 'session' | 'pgpool';

export const POOLER_KINDS: readonly PoolerKind[] = runSize<PoolerKind[]>({
  slice: ['transaction', 'session'],
  whole: ['transaction', 'session', 'pgpool'],
});

export interface RunningPooler {
  /** Returns the URL of a database of the server, through the pooler. */
  urlOf(databaseUrl: string): string;
  close(): Promise<void>;
}

/**
 * Starts a pooler in front of a server. Returns the reason if it is not installed; under CI, throws
 * instead.
 */
export async function startPooler(
  serverUrl: string,
  kind: PoolerKind,
): Promise<RunningPooler | { missing: string }> {
  const program = kind === 'pgpool' ? '/usr/sbin/pgpool' : '/usr/sbin/pgbouncer';
  if (!existsSync(program)) {
    const missing = `${program} is not installed.`;
    if ((process.env['CI'] ?? '') === '') return { missing };
    throw new Error(`A connection pooler is required under CI: ${missing}`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-pooler-'));
  await chmod(folder, 0o755);
  const account = serverUser();
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const port = await freePort();
  const place = { folder, port, server: new URL(serverUrl) };
  const args = kind === 'pgpool' ? await configurePgpool(place) : await configure(place, kind);
  // On SIGINT, PgBouncer would wait until all clients have left. SIGQUIT ends pgpool-II at once.
  const untilClosed = `"$0" "$@" & read -r end; kill -${kind === 'pgpool' ? 'QUIT' : 'TERM'} $!; wait`;
  // The pipe also closes when this process is killed.
  const child = spawn('sh', ['-c', untilClosed, program, ...args], {
    ...account,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const urlOf = (databaseUrl: string): string => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    return url.href;
  };
  await untilReady(child, urlOf(serverUrl));
  return {
    urlOf,
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  folder: string;
  port: number;
  server: URL;
}

/**
 * Writes the configuration of a PgBouncer, and returns its arguments. In transaction mode it has few
 * connections that are used in turn, so that a client rarely gets the same one twice.
 */
async function configure({ folder, port, server }: Place, mode: string): Promise<string[]> {
  const users = join(folder, 'users.txt');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(users, '"afterbell" ""\n');
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 40 : 4}
server_round_robin = 1
`,
  );
  return [file];
}

/** Writes the configuration of a pgpool-II, and returns its arguments. */
async function configurePgpool({ folder, port, server }: Place): Promise<string[]> {
  const file = join(folder, 'pgpool.conf');
  const [clients, hosts] = [join(folder, 'pcp.conf'), join(folder, 'pool_hba.conf')];
  await writeFile(clients, '');
  await writeFile(hosts, '');
  await writeFile(
    file,
    `backend_clustering_mode = 'streaming_replication'
listen_addresses = '127.0.0.1'
port = ${port}
pcp_port = ${await freePort()}
unix_socket_directories = '${folder}'
pcp_socket_dir = '${folder}'
wd_ipc_socket_dir = '${folder}'
backend_hostname0 = '${server.hostname}'
backend_port0 = ${server.port}
num_init_children = 150
max_pool = 1
pid_file_name = '${join(folder, 'pgpool.pid')}'
logdir = '${folder}'
work_dir = '${folder}'
sr_check_period = 0
load_balance_mode = off
memory_cache_enabled = off
`,
  );
  return ['-n', '-f', file, '-F', clients, '-a', hosts];
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const clock = systemClock();
  for (let round = 0; round < 300; round += 1) {
    if (child.exitCode !== null) throw new Error(`The pooler exited with ${child.exitCode}.`);
    const db = openPostgres({ url, poolSize: 1 });
    const isReady = await db.query('select 1').then(
      () => true,
      () => false,
    );
    await db.close();
    if (isReady) return;
    await clock.sleep(100);
  }
  throw new Error('The pooler did not accept queries within 30 s.');
}
