import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { claimMarker } from '../../src/storage/marker.ts';
import { postgresStore } from '../support/stores.ts';
import type { Bench } from './bench.ts';
import { benchKeys, storeKeys } from './metered-keys.ts';

const CPU_RATIO_MAX = 1.2;
const ROUNDS = 5;
/** A fixed number, so that a busy machine lengthens a round instead of shrinking its sample. */
const REQUESTS = Number(process.env['BENCH_SERVE_REQUESTS'] ?? 50_000);
/**
 * An equal number for each process, because a process that handles several requests in one turn of
 * its event loop needs less time for each. All connections start with the same customer, who may have
 * 32 requests at a time.
 */
const CONNECTIONS_PER_PROCESS = 16;
const CUSTOMERS = 20;
/** The unit of /proc/PID/stat on Linux. */
const MICROS_PER_TICK = 10_000;
const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

/**
 * Compares `afterbell serve` with one and with two processes on one PostgreSQL, in alternating
 * rounds of cached, metered reads by a few busy customers. If a request costs the same processor
 * time in both, capacity grows with the cores. Reads per second of both are limited by the load
 * generator and PostgreSQL, which share the cores. The time of PostgreSQL is not included.
 */
export const bench: Bench = {
  name: 'serve processes',
  target: `processor time per request of two processes ≤ ${CPU_RATIO_MAX} × that of one`,
  async run() {
    const store = await postgresStore();
    if ('missing' in store) return { passed: true, figures: { skipped: store.missing } };
    await claimMarker(store.db, 'kind', 'live');
    await storeKeys(store.db, 'wide');
    const keys = benchKeys().slice(0, CUSTOMERS);
    const paths = keys.map((key) => `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`);
    const folder = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
    const nodes: Node[] = [];
    try {
      for (const count of [1, 2]) nodes.push(await startNode(count, store.url, folder));
      for (const node of nodes) await measure(node, paths);
      const rounds: Figures[][] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const figures: Figures[] = [];
        const order = round % 2 === 0 ? nodes : nodes.toReversed();
        for (const node of order) figures[nodes.indexOf(node)] = await measure(node, paths);
        rounds.push(figures);
      }
      const of = (at: number, name: keyof Figures) => median(rounds.map((r) => r[at]?.[name] ?? 0));
      const ratio = of(1, 'cpuMicros') / of(0, 'cpuMicros');
      return {
        passed: ratio <= CPU_RATIO_MAX,
        figures: {
          cpuMicrosOne: of(0, 'cpuMicros').toFixed(1),
          cpuMicrosTwo: of(1, 'cpuMicros').toFixed(1),
          cpuRatio: ratio.toFixed(2),
          perSecondOne: Math.round(of(0, 'perSecond')),
          perSecondTwo: Math.round(of(1, 'perSecond')),
          coresUsedOne: of(0, 'cores').toFixed(2),
          coresUsedTwo: of(1, 'cores').toFixed(2),
        },
      };
    } finally {
      for (const node of nodes) await node.stop();
      rmSync(folder, { recursive: true, force: true });
      await store.db.close();
    }
  },
};

interface Figures {
  perSecond: number;
  cpuMicros: number;
  /** Cores that the node kept busy. */
  cores: number;
}

type Node = Awaited<ReturnType<typeof startNode>>;

async function measure(node: Node, paths: readonly string[]): Promise<Figures> {
  const before = node.cpuMicros();
  const startMs = performance.now();
  const { requests, non2xx } = await autocannon({
    url: node.url,
    requests: paths.map((path) => ({ path })),
    connections: node.processes * CONNECTIONS_PER_PROCESS,
    amount: REQUESTS,
  });
  const seconds = (performance.now() - startMs) / 1_000;
  if (non2xx > 0) throw new Error(`${non2xx} responses without status 2xx`);
  const cpuMicros = node.cpuMicros() - before;
  return {
    perSecond: requests.total / seconds,
    cpuMicros: cpuMicros / requests.total,
    cores: cpuMicros / 1e6 / seconds,
  };
}

/** Starts the real binary and waits for its `ready` line. */
async function startNode(processes: number, databaseUrl: string, folder: string) {
  const args = ['serve', '--port', '0', '--processes', String(processes), '--log-level', 'warn'];
  const child = spawn(process.execPath, [BINARY, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      SOURCES: 'files',
      DRAIN_SECONDS: '0',
    },
  });
  const ended = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const [line] = (await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('the service ended before it was ready'))),
  ])) as [string];
  return {
    processes,
    url: line.slice('ready '.length),
    /** Processor time of all processes of the node. */
    cpuMicros: () => cpuTicks(child.pid) * MICROS_PER_TICK,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Returns the user and system time of a process and of its children. */
function cpuTicks(pid: number | string | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const own = Number(user) + Number(system);
  return children
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + cpuTicks(child), own);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
