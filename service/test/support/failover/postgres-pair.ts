import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';
import { killablePostgres, type KillablePostgres } from '../killable-postgres.ts';
import type { Cluster } from '../postgres-cluster.ts';
import { type Forwarder, startForwarder } from './forwarder.ts';

const CHECK_INTERVAL_MS = 20;
const SETTINGS = { max_wal_senders: '10', wal_keep_size: '256MB', hot_standby: 'on' };
const clock = systemClock();

/** A primary and a standby that follows it by streaming replication. */
export interface FailoverCluster {
  /** Leads to the primary, also after a failover. */
  url: string;
  /** Stops the stream, so that later commits are missing on the standby. */
  cutStream(): void;
  /** Resolves when the standby has everything that the primary has committed. */
  caughtUp(): Promise<void>;
  /** Makes the primary wait for the standby at each commit, or no longer. */
  setSynchronous(isOn: boolean): Promise<void>;
  /** Kills the primary and promotes the standby. The address then leads to it. */
  failOver(): Promise<void>;
  /** Shuts the primary down and promotes the standby. */
  switchOver(): Promise<void>;
  /** Replaces the killed server by a new standby. */
  rejoin(): Promise<void>;
  close(): Promise<void>;
}

/** A cluster without a manager: the test itself promotes the standby. */
export interface PostgresPair extends FailoverCluster {
  primary(): KillablePostgres;
  standby(): KillablePostgres;
  /** The address in `url`. */
  address: Forwarder;
}

/** Starts a primary that is prepared by `fill`, and its standby. */
export async function startPair(fill: (url: string) => Promise<void>): Promise<PostgresPair> {
  const primary = await killablePostgres(undefined, SETTINGS);
  await fill(primary.url);
  const stream = await startForwarder(primary.port);
  // Without pg_basebackup, which not every package has, the files are copied from a stopped server.
  await primary.kill('immediate');
  const standby = await killablePostgres(
    (folder) => copyCluster(primary.cluster, folder, stream.port),
    SETTINGS,
  );
  await primary.start();
  return new Pair(primary, standby, { stream, address: await startForwarder(primary.port) });
}

class Pair implements PostgresPair {
  readonly address: Forwarder;
  readonly #stream: Forwarder;
  #primary: KillablePostgres;
  #standby: KillablePostgres;

  constructor(
    primary: KillablePostgres,
    standby: KillablePostgres,
    { stream, address }: { stream: Forwarder; address: Forwarder },
  ) {
    this.#primary = primary;
    this.#standby = standby;
    this.#stream = stream;
    this.address = address;
  }

  get url(): string {
    return `postgres://afterbell@127.0.0.1:${this.address.port}/postgres`;
  }

  primary = (): KillablePostgres => this.#primary;
  standby = (): KillablePostgres => this.#standby;

  cutStream(): void {
    this.#stream.lead(null);
    this.#stream.cut();
  }

  caughtUp(): Promise<void> {
    return awaitStandby(this.#primary.url, CAUGHT_UP);
  }

  async setSynchronous(isOn: boolean): Promise<void> {
    await withServer(this.#primary.url, async (db) => {
      await db.execute(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`);
      await db.query('select pg_reload_conf()');
    });
    await awaitStandby(this.#primary.url, `sync_state = '${isOn ? 'sync' : 'async'}'`);
  }

  async failOver(): Promise<void> {
    await this.#primary.kill('kill');
    await this.#promote();
  }

  async switchOver(): Promise<void> {
    await this.#primary.close();
    await this.#promote();
  }

  async #promote(): Promise<void> {
    this.address.lead(null);
    await withServer(this.#standby.url, (db) => db.query('select pg_promote(true, 60)'));
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    this.address.lead(this.#primary.port);
  }

  async rejoin(): Promise<void> {
    await this.#standby.close();
    this.#stream.lead(this.#primary.port);
    this.#standby = await killablePostgres(
      (folder) => backUpCluster(this.#primary, folder, this.#stream.port),
      SETTINGS,
    );
  }

  async close(): Promise<void> {
    this.address.close();
    this.#stream.close();
    await Promise.all([this.#primary.close(), this.#standby.close()]);
  }
}

/** A condition on the standby as the primary sees it. */
export const CAUGHT_UP = `state = 'streaming' and replay_lsn >= pg_current_wal_lsn()`;

/** Resolves once a standby fulfils a condition on `pg_stat_replication`. */
export async function awaitStandby(url: string, condition: string): Promise<void> {
  await withServer(url, async (db) => {
    // Returns one row per standby.
    const standbys = () => db.query(`select 1 from pg_stat_replication where ${condition}`);
    while ((await standbys()).length === 0) await clock.sleep(CHECK_INTERVAL_MS);
  });
}

async function withServer<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openPostgres({ url, poolSize: 1, statementTimeoutMs: 120_000 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function copyCluster(from: Cluster, folder: string, streamPort: number): Promise<Cluster> {
  const data = join(folder, 'data');
  await cp(from.data, data, { recursive: true });
  await rm(join(data, 'postmaster.pid'), { force: true });
  return makeStandby({ ...from, data }, streamPort);
}

/** Copies a running server with pg_basebackup, which only some packages have. */
async function backUpCluster(
  { cluster, port }: KillablePostgres,
  folder: string,
  streamPort: number,
): Promise<Cluster> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (cluster.user !== undefined) await chown(data, cluster.user.uid, cluster.user.gid);
  const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'afterbell'];
  const options = ['-D', data, '-c', 'fast', '-X', 'stream', '--no-sync', ...source];
  const backup = spawn(join(cluster.bin, 'pg_basebackup'), options, {
    ...cluster.user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(backup, 'close')) as [number | null];
  if (code !== 0) throw new Error(`pg_basebackup failed with ${code}`);
  return makeStandby({ ...cluster, data }, streamPort);
}

async function makeStandby(cluster: Cluster, streamPort: number): Promise<Cluster> {
  const { data, user } = cluster;
  const source = `host=127.0.0.1 port=${streamPort} user=afterbell application_name=standby`;
  await writeFile(join(data, 'standby.signal'), '');
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = '${source}'\nwal_retrieve_retry_interval = '100ms'\n`,
  );
  if (user === undefined) return cluster;
  const owned = spawn('chown', ['-R', `${user.uid}:${user.gid}`, data]);
  await once(owned, 'close');
  return cluster;
}
