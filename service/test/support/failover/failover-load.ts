import { onTestFinished } from 'vitest';
import { createIngest } from '../../../src/ingest/ingest.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { provider as files } from '../../../src/providers/files/index.ts';
import { parseInstant } from '../../../src/platform/instant.ts';
import type { Db } from '../../../src/storage/db.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import { scratchFolder } from '../afterbell-process.ts';
import { freePort } from '../postgres-cluster.ts';
import { type Balancer, startBalancer } from '../roles/balancer.ts';
import { type ObservedResponse, type Reader, startReader } from '../roles/reader.ts';
import { ingestProcess, type RoleProcess, roleProcess } from '../roles/role-process.ts';
import { firstFiles, ROLE_SYMBOLS } from '../roles/scripted-files.ts';
import { createKey, type RoleEnv } from '../roles/start-role.ts';
import { prepareStore, SECRET } from '../webhook-kills.ts';
import { type LedgerProcess, startLedger } from '../webhook-ledger.ts';

const PLAN = { name: 'counted', perMinute: 1_000_000, perDay: 10_000_000 };
const clock = systemClock();

/** A change that an ingesting process has acknowledged. */
export interface StoredChange {
  symbol: string;
  count: number;
  atMs: number;
}

/** A management call that sets a watchlist. */
export interface WatchlistCall {
  /** True if the response says that the list was changed. One may be equal to what it is set to. */
  hasChanged: boolean;
  doneMs: number;
}

/** The service in separate processes, with readers, a manager and webhook receivers. */
export interface FailoverLoad {
  db: Db;
  env: RoleEnv;
  receivers: LedgerProcess;
  changes: readonly StoredChange[];
  calls: readonly WatchlistCall[];
  responses(): readonly ObservedResponse[];
  processCount: number;
  balancer: Balancer;
  /** Stops the load and the processes. */
  stop(): Promise<void>;
}

/** Prepares a store for `startLoad`. */
export async function prepareLoad(url: string, receiversPort: number, seed: number): Promise<void> {
  await prepareStore({ databaseUrl: url }, receiversPort, seed, async (db) => {
    const ingest = createIngest({ db, clock, providers: [files], onCommit: () => undefined });
    for (const response of firstFiles(clock.now())) await ingest(response);
  });
}

export async function startReceiversFor(seed: number): Promise<LedgerProcess> {
  const receivers = await startLedger({ secret: SECRET, seed });
  onTestFinished(receivers.stop);
  return receivers;
}

export async function startLoad(
  url: string,
  receivers: LedgerProcess,
  seed: number,
): Promise<FailoverLoad> {
  const env: RoleEnv = { url, folder: scratchFolder(), receivers: receivers.port };
  const store = await openStore({ databaseUrl: url });
  const key = await createKey(store, env, PLAN, 'read,manage');
  await store.close();
  const db = openPostgres({ url });
  onTestFinished(() => db.close());
  const changes: StoredChange[] = [];
  const onStored = (symbol: string, count: number): void =>
    void changes.push({ symbol, count, atMs: clock.monotonicMs() });
  const ports = [await freePort(), await freePort()];
  const processes: RoleProcess[] = [
    ...ports.map((port) => roleProcess('serve', env, port)),
    ...[1, 2].map(() => roleProcess('work', env, 0)),
    ...[1, 2].map((n) => ingestProcess(env, seed + n, onStored)),
  ];
  for (const process of processes) await process.start();
  const balancer = await startBalancer(ports);
  onTestFinished(() => balancer.close());
  while (balancer.readyPorts().length < ports.length) await clock.sleep(50);
  const readers = [1, 2].map((n) => startReads(balancer.port, key, n));
  const manager = startManager(balancer.port, key);
  return {
    db,
    env,
    receivers,
    changes,
    calls: manager.calls,
    responses: () => readers.flatMap(({ responses }) => responses),
    processCount: processes.length,
    balancer,
    async stop() {
      await Promise.all([...readers.map((reader) => reader.stop()), manager.stop()]);
      for (const process of processes) {
        const code = await process.end('SIGTERM');
        if (code !== 0) throw new Error(`${process.kind} exited with ${code}`);
      }
    },
  };
}

function startReads(port: number, key: string, n: number): Reader {
  let count = n;
  const nextPath = (): string => `/v1/earnings?symbol=${ROLE_SYMBOLS[(count += 1) % 5]}`;
  return startReader(port, { key, nextPath, pauseMs: 30 });
}

/** A customer may make 120 changes a minute. */
const CALL_PAUSE_MS = 500;

/** Changes watchlists, one after the other, each time to another company. */
function startManager(port: number, key: string) {
  const calls: WatchlistCall[] = [];
  let isStopped = false;
  const running = loop();

  async function loop(): Promise<void> {
    for (let n = 0; !isStopped; n += 1) {
      const hasChanged = await put(n).catch(() => false);
      calls.push({ hasChanged, doneMs: clock.monotonicMs() });
      await clock.sleep(CALL_PAUSE_MS);
    }
  }

  async function put(n: number): Promise<boolean> {
    const startedAt = clock.now();
    const symbols = [ROLE_SYMBOLS[Math.floor(n / 3) % 5]];
    const response = await fetch(`http://127.0.0.1:${port}/account/v1/watchlists/list-${n % 3}`, {
      method: 'PUT',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ symbols }),
    });
    const { updatedAt } = (await response.json()) as { updatedAt?: string };
    return response.ok && (parseInstant(updatedAt ?? '') ?? 0) >= startedAt;
  }

  return {
    calls,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
