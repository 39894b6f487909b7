import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { listenForNotifications } from '../../../src/storage/engines/postgres/notifications.ts';
import { silentLog } from '../../support/logs.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Bench } from '../bench.ts';
import { embeddedStore } from '../embedded-store.ts';
import { postgresCpu } from '../postgres-cpu.ts';
import { writeChanges, type WriteRequest } from './change-writer.ts';
import { openStage, percentile, type Stage } from './stage.ts';

const ROUNDS = 3;
const SECONDS = 4;
/** Changes before each round, which open connections. */
const WARMING_CHANGES = 200;
/** Rates in changes per second. At the first, each change is processed alone. */
const RATES = { isolated: 10, busy: 100 };
const TARGETS = { embedded: { p50: 10, p99: 60 }, postgres: { p50: 5, p99: 20 } };
const ISOLATED_MICROS_MAX = 2_000;
const clock = systemClock();

/**
 * Measures the time from the commit of a change for one endpoint to its POST, and the CPU time per
 * change beyond that of writing it. On PostgreSQL, another process writes the changes. Alternates
 * with a bare loop that sends a POST for each commit that it is notified of.
 */
export const bench: Bench = {
  name: 'webhook single changes',
  target:
    'at 100/s, PostgreSQL p50 ≤ 5 ms and p99 ≤ 20 ms, embedded ≤ 10 and ≤ 60; isolated ≤ 2 ms of CPU time, PostgreSQL',
  async run() {
    const figures = await measureEmbedded();
    const server = await postgresStore();
    if (!('missing' in server)) Object.assign(figures, await measurePostgres(server));
    const isWithin = (engine: 'embedded' | 'postgres'): boolean =>
      (figures[`${engine}BusyP50Ms`] ?? 0) <= TARGETS[engine].p50 &&
      (figures[`${engine}BusyP99Ms`] ?? 0) <= TARGETS[engine].p99;
    const isCheap = (figures['postgresIsolatedMicros'] ?? 0) <= ISOLATED_MICROS_MAX;
    figures['load'] = Number((loadavg()[0] ?? 0).toFixed(1));
    return { passed: isWithin('embedded') && isWithin('postgres') && isCheap, figures };
  },
};

type Figures = Record<string, number>;

/** The parts that differ between the engines. */
interface Source {
  db: Db;
  /** Calls the current listener after commits. */
  listener: { onCommit(): void };
  write(request: WriteRequest): Promise<number[]>;
  /** CPU time of this process and the database so far. */
  cpuMicros(): number;
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function measureEmbedded(): Promise<Figures> {
  const db = await embeddedStore();
  const listener = { onCommit: (): void => undefined };
  const write = (request: WriteRequest) => writeChanges(db, request, () => listener.onCommit());
  return measure({ db, listener, write, cpuMicros: ownCpu }, 'embedded');
}

async function measurePostgres({ db, url }: { db: Db; url: string }): Promise<Figures> {
  const listener = { onCommit: (): void => undefined };
  const connected = Promise.withResolvers<void>();
  const notifications = listenForNotifications({
    url,
    pooler: 'none',
    clock,
    log: silentLog,
    onConnected: connected.resolve,
    onNotification: () => listener.onCommit(),
  });
  const writer = fork(fileURLToPath(new URL('change-writer.ts', import.meta.url)), [url]);
  await Promise.all([connected.promise, once(writer, 'message')]);
  const ofServer = await postgresCpu(db);
  async function write(request: WriteRequest): Promise<number[]> {
    writer.send(request);
    const [committedAt] = (await once(writer, 'message')) as [number[]];
    return committedAt;
  }
  const cpuMicros = () => ownCpu() + ofServer();
  const figures = await measure({ db, listener, write, cpuMicros }, 'postgres');
  writer.kill();
  await notifications.stop();
  return figures;
}

async function measure(source: Source, engine: string): Promise<Figures> {
  const stage = await openStage(source.db, { subscribesTo: 'one' });
  await stage.stopWorker();
  const figures: Figures = {};
  let firstChange = 1;
  const run = async (perSecond: number, side: 'ours' | 'bare'): Promise<Round> => {
    const count = perSecond * SECONDS;
    const request = { firstChange, count, perSecond, symbols: stage.symbols };
    firstChange += WARMING_CHANGES + count;
    return runRound({ source, stage, request, side });
  };
  for (const [name, perSecond] of Object.entries(RATES)) {
    const ours: Round[] = [];
    const bare: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await run(perSecond, 'ours'));
      bare.push(await run(perSecond, 'bare'));
    }
    const prefix = `${engine}${name[0]?.toUpperCase()}${name.slice(1)}`;
    Object.assign(figures, figuresOf(prefix, { ours, bare }));
  }
  await stage.close();
  return figures;
}

interface Round {
  latencies: number[];
  /** CPU time per change, including that of the database for writing it. */
  microsEach: number;
}

interface RoundOptions {
  source: Source;
  stage: Stage;
  request: WriteRequest;
  side: 'ours' | 'bare';
}

async function runRound({ source, stage, request, side }: RoundOptions): Promise<Round> {
  const bare = side === 'bare' ? startBareLoop(stage, request.firstChange) : null;
  if (bare === null) stage.startWorker();
  source.listener.onCommit = bare?.post ?? stage.wake;
  const warming = { ...request, count: WARMING_CHANGES, perSecond: RATES.busy };
  await source.write(warming);
  await clock.sleep(1_000);
  await stage.receivers.report();
  const measured = { ...request, firstChange: request.firstChange + WARMING_CHANGES };
  const before = source.cpuMicros();
  const committedAt = await source.write(measured);
  await clock.sleep(200);
  const microsEach = (source.cpuMicros() - before) / request.count;
  await clock.sleep(1_000);
  const arrivals = await stage.receivers.report();
  await (bare === null ? stage.stopWorker() : bare.close());
  const arrivedAt = new Map(arrivals.map(({ change, at }) => [change, at]));
  const latencies = committedAt.flatMap((at, index) => {
    const arrival = arrivedAt.get(measured.firstChange + index);
    return arrival === undefined ? [] : [arrival - at];
  });
  if (bare === null && latencies.length < request.count) {
    throw new Error(`${latencies.length} of ${request.count} changes arrived`);
  }
  return { latencies, microsEach };
}

/** Sends a POST for each call, with the number of the next change. */
function startBareLoop({ receivers, symbols }: Stage, firstChange: number) {
  const agent = new Agent({ connections: 8, pipelining: 1 });
  const origin = `http://127.0.0.1:${receivers.port}`;
  let change = firstChange;
  return {
    post(): void {
      const path = `/ep${change % symbols.length}`;
      const body = JSON.stringify({ data: { revenueEstimate: change } });
      change += 1;
      const headers = { 'content-type': 'application/json' };
      void agent
        .request({ origin, path, method: 'POST', headers, body })
        .then((response) => response.body.dump());
    },
    close: () => agent.close(),
  };
}

function figuresOf(prefix: string, { ours, bare }: { ours: Round[]; bare: Round[] }): Figures {
  const rounded = (value: number): number => Number(value.toFixed(1));
  const middle = (values: readonly number[]): number => percentile(values, 0.5);
  const of = (rounds: readonly Round[], share: number): number =>
    rounded(middle(rounds.map(({ latencies }) => percentile(latencies, share))));
  const micros = (rounds: readonly Round[]): number =>
    middle(rounds.map(({ microsEach }) => microsEach));
  return {
    [`${prefix}P50Ms`]: of(ours, 0.5),
    [`${prefix}P99Ms`]: of(ours, 0.99),
    [`${prefix}BareP50Ms`]: of(bare, 0.5),
    [`${prefix}BareP99Ms`]: of(bare, 0.99),
    [`${prefix}Micros`]: Math.round(micros(ours) - micros(bare)),
    [`${prefix}BareMicros`]: Math.round(micros(bare)),
  };
}
