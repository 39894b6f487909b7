import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/platform/clock.ts';
import { killServer } from '../killable-postgres.ts';
import { freePort, serverUser } from '../postgres-cluster.ts';
import { type Forwarder, startForwarder } from './forwarder.ts';
import { awaitStandby, CAUGHT_UP, type FailoverCluster } from './postgres-pair.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const WAIT_MS = 120_000;
const clock = systemClock();

interface Node {
  name: string;
  port: number;
  restPort: number;
  data: string;
  config: string;
  /** The address at which other nodes reach this server. */
  stream: Forwarder;
  patroni: ChildProcess | null;
}

/**
 * Starts two servers under Patroni, with etcd, from the packages `patroni` and `etcd-server` of
 * Debian. The address in `url` follows the primary as a proxy does that asks Patroni's REST API.
 */
export async function startPatroni(options: {
  isSynchronous: boolean;
  fill(url: string): Promise<void>;
}): Promise<FailoverCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-patroni-'));
  await chmod(folder, 0o755);
  await own(folder);
  const etcdPort = await freePort();
  const etcd = startEtcd(folder, etcdPort, await freePort());
  const nodes: Node[] = [];
  for (const name of ['a', 'b']) nodes.push(await makeNode(folder, name, { ...options, etcdPort }));
  const cluster = new PatroniCluster(folder, etcd, { nodes, address: await startForwarder(null) });
  try {
    await cluster.start();
    await options.fill(cluster.url);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

class PatroniCluster implements FailoverCluster {
  readonly #folder: string;
  readonly #etcd: ChildProcess;
  readonly #nodes: readonly Node[];
  readonly #address: Forwarder;
  #primary: Node | null = null;
  #failovers = 0;

  constructor(
    folder: string,
    etcd: ChildProcess,
    { nodes, address }: { nodes: readonly Node[]; address: Forwarder },
  ) {
    this.#folder = folder;
    this.#etcd = etcd;
    this.#nodes = nodes;
    this.#address = address;
  }

  get url(): string {
    return urlOf(this.#address.port);
  }

  async start(): Promise<void> {
    for (const node of this.#nodes) {
      startNode(this.#folder, node);
      if (this.#primary === null) await this.#followPrimary(null);
    }
    await this.#awaitReplica();
  }

  cutStream(): void {
    this.#current().stream.lead(null);
    this.#current().stream.cut();
  }

  caughtUp(): Promise<void> {
    return awaitStandby(urlOf(this.#current().port), CAUGHT_UP);
  }

  /** Waits for Patroni, which promotes a standby only after it has noted that it is synchronous. */
  setSynchronous(): Promise<void> {
    const primary = this.#current();
    return waitFor(async () => {
      const standbys = this.#nodes.filter((node) => node !== primary);
      const replies = await Promise.all(standbys.map((node) => responds(node, 'synchronous')));
      return replies.every(Boolean);
    });
  }

  /** Kills the server, and every other time Patroni with it, as when a machine is lost. */
  async failOver(): Promise<void> {
    const lost = this.#current();
    this.#failovers += 1;
    const pid = Number((await readFile(join(lost.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    if (this.#failovers % 2 === 0) {
      lost.patroni?.kill('SIGKILL');
      lost.patroni = null;
    }
    await killServer(pid);
    await this.#followPrimary(lost);
  }

  async switchOver(): Promise<void> {
    const leader = this.#current();
    const candidate = this.#nodes.find((node) => node !== leader);
    const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: candidate?.name }),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
    await this.#followPrimary(leader);
  }

  async rejoin(): Promise<void> {
    for (const node of this.#nodes) {
      node.stream.lead(node.port);
      if (node.patroni === null) startNode(this.#folder, node);
    }
    await this.#awaitReplica();
  }

  async close(): Promise<void> {
    this.#address.close();
    for (const node of this.#nodes) {
      node.stream.close();
      await stop(node.patroni);
      const text = await readFile(join(node.data, 'postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(text.split('\n')[0]);
      if (pid > 0) await killServer(pid).catch(() => undefined);
    }
    await stop(this.#etcd);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #current(): Node {
    if (this.#primary === null) throw new Error('no primary');
    return this.#primary;
  }

  /** Leads the address to the primary once it is another one than `previous`. */
  async #followPrimary(previous: Node | null): Promise<void> {
    this.#address.lead(null);
    if (previous !== null) this.#address.cut();
    await waitFor(async () => {
      for (const node of this.#nodes) {
        if (node === previous || !(await responds(node, 'primary'))) continue;
        this.#primary = node;
        this.#address.lead(node.port);
        return true;
      }
      return false;
    });
  }

  async #awaitReplica(): Promise<void> {
    const primary = this.#current();
    const replica = this.#nodes.find((node) => node !== primary);
    if (replica !== undefined) await waitFor(() => responds(replica, 'replica'));
    await awaitStandby(urlOf(primary.port), `state = 'streaming'`);
  }
}

async function makeNode(
  folder: string,
  name: string,
  { etcdPort, isSynchronous }: { etcdPort: number; isSynchronous: boolean },
): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()];
  const stream = await startForwarder(port);
  const home = join(folder, name);
  await mkdir(home, { mode: 0o755 });
  await own(home);
  const data = join(home, 'data');
  const config = join(home, 'patroni.json');
  const hba = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  const settings = {
    scope: 'afterbell',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 5,
        loop_wait: 1,
        retry_timeout: 2,
        maximum_lag_on_failover: 2 ** 30,
        primary_start_timeout: 0,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
      pg_hba: hba,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${stream.port}`,
      data_dir: data,
      bin_dir: BIN,
      pg_hba: hba,
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: { unix_socket_directories: home, wal_keep_size: '256MB' },
      authentication: {
        superuser: { username: 'afterbell', password: 'unused' },
        replication: { username: 'replicator', password: 'unused' },
        rewind: { username: 'afterbell', password: 'unused' },
      },
    },
  };
  // JSON is YAML.
  await writeFile(config, JSON.stringify(settings));
  return { name, port, restPort, data, config, stream, patroni: null };
}

function startNode(folder: string, node: Node): void {
  node.patroni = run('/usr/bin/patroni', [node.config], join(folder, `${node.name}.log`));
}

function startEtcd(folder: string, port: number, peerPort: number): ChildProcess {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const options = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return run('/usr/bin/etcd', [...args, '--unsafe-no-fsync'], join(folder, 'etcd.log'));
}

function run(command: string, args: readonly string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, {
    ...serverUser(),
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Asks Patroni as a load balancer does. */
async function responds(
  { restPort }: Node,
  role: 'primary' | 'replica' | 'synchronous',
): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${restPort}/${role}`).catch(() => null);
  await response?.text();
  return response?.status === 200;
}

async function waitFor(check: () => Promise<boolean>): Promise<void> {
  const endsMs = clock.monotonicMs() + WAIT_MS;
  while (!(await check())) {
    if (clock.monotonicMs() > endsMs) throw new Error('Patroni did not reach the expected state.');
    await clock.sleep(50);
  }
}

function urlOf(port: number): string {
  return `postgres://afterbell@127.0.0.1:${port}/postgres`;
}

async function own(path: string): Promise<void> {
  const user = serverUser();
  if (user !== undefined) await chown(path, user.uid, user.gid);
}
