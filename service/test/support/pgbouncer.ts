import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';
import { freePort, serverUser } from './postgres-cluster.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

export interface PgBouncer {
  /** Returns the URL of a database of the server, through the pooler. */
  urlOf(databaseUrl: string): string;
  close(): Promise<void>;
}

/**
 * Starts a PgBouncer in front of a server, with few connections that are used in turn, so that a
 * client rarely gets the same one twice in transaction mode. Returns the reason if it is missing;
 * under CI, throws instead.
 */
export async function startPgBouncer(
  serverUrl: string,
  poolMode: 'transaction' | 'session',
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer | { missing: string }> {
  if (!existsSync(PROGRAM)) {
    const missing = `${PROGRAM} is not installed.`;
    if ((process.env['CI'] ?? '') === '') return { missing };
    throw new Error(`PgBouncer is required under CI: ${missing}`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-pgbouncer-'));
  await chmod(folder, 0o755);
  const server = new URL(serverUrl);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  const config = join(folder, 'pgbouncer.ini');
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: poolMode,
    default_pool_size: poolMode === 'session' ? '40' : '4',
    server_round_robin: '1',
    ...settings,
  };
  await writeFile(users, '"afterbell" ""\n');
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      ...Object.entries(options).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  const child = spawn(PROGRAM, [config], { ...serverUser(), cwd: folder, stdio: 'ignore' });
  const urlOf = (databaseUrl: string): string => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    return url.href;
  };
  await untilReady(child, urlOf(serverUrl));
  return {
    urlOf,
    async close() {
      // SIGINT would wait until all clients have left.
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const clock = systemClock();
  for (let round = 0; round < 300; round += 1) {
    if (child.exitCode !== null) throw new Error(`PgBouncer exited with ${child.exitCode}.`);
    const db = openPostgres({ url, poolSize: 1 });
    const isReady = await db.query('select 1').then(
      () => true,
      () => false,
    );
    await db.close();
    if (isReady) return;
    await clock.sleep(100);
  }
  throw new Error('PgBouncer did not accept queries within 30 s.');
}
