import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createIngest } from '../../../src/ingest/ingest.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { provider as files } from '../../../src/providers/files/index.ts';
import type { Db } from '../../../src/storage/db.ts';
import { claimMarker } from '../../../src/storage/marker.ts';
import { accountWorld, addCustomer, addKey } from '../account-world.ts';
import { summarize } from '../roles/response-summary.ts';
import { sendRequest, type Reader, type ObservedResponse, startReader } from '../roles/reader.ts';
import { firstFiles, ROLE_SYMBOLS } from '../roles/scripted-files.ts';
import { SECRET } from '../webhook-kills.ts';
import { type LedgerProcess, startLedger } from '../webhook-ledger.ts';
import type { ServiceOrders } from './service-child.ts';

const clock = systemClock();
const UNREACHABLE_LIMIT = 1_000_000;
/** The first plan has a monthly limit, so no midnight resets the count during a run. */
const PLANS = ['attack-month', 'attack-free'] as const;
/** This profile never changes, so its response stays cached. */
const CACHED_PATH = '/v1/profile/AAA';

export interface Keys {
  month: string;
  free: string;
  /** Customer that owns the key `month`. */
  monthCustomer: string;
}

/** A running service with readers, changes and deliveries, and everything observed about it. */
export interface AttackedService {
  /** The newest acknowledged change for each symbol. */
  acknowledged: ReadonlyMap<string, number>;
  counts: { changes: number; changesRefused: number };
  keys: Keys;
  /** Returns every response that the readers received. */
  responses(): ObservedResponse[];
  monthResponses(): ObservedResponse[];
  /**
   * Resolves once each reader has received five responses and five changes have been stored since
   * the call. Does not wait for deliveries, because failed deliveries are retried only minutes
   * later.
   */
  untilAlive(): Promise<void>;
  /** Resolves once this many more changes have been rejected. */
  untilRejected(more: number): Promise<void>;
  /** Requests a cached response with a key that has no monthly limit. */
  requestCached(): Promise<{ status: number | null }>;
  /** Stops the readers and the service, and expects a clean exit. */
  end(): Promise<void>;
  kill(): void;
  /** Kills the service and resolves after its exit. */
  killAndWait(): Promise<void>;
}

/** Fills a store with companies, reports, plans and two customers with keys. */
export async function fillStore(db: Db): Promise<Keys> {
  await claimMarker(db, 'kind', 'live');
  const ingest = createIngest({ db, clock, providers: [files], onCommit: () => undefined });
  for (const response of firstFiles(clock.now())) await ingest(response);
  for (const [index, name] of PLANS.entries()) {
    await db.query('insert into plan (name, per_minute, per_month) values ($1, $2, $3)', [
      name,
      UNREACHABLE_LIMIT,
      index === 0 ? UNREACHABLE_LIMIT : null,
    ]);
  }
  const world = accountWorld(db);
  const [month, free] = await Promise.all(PLANS.map((plan) => addCustomer(world, plan, plan)));
  return {
    month: (await addKey(world, month ?? '')).key,
    free: (await addKey(world, free ?? '')).key,
    monthCustomer: month ?? '',
  };
}

interface AttackOptions {
  orders: ServiceOrders;
  keys: Keys;
  /** Flags for Node.js. */
  execArgv?: readonly string[];
  childEnv?: Record<string, string>;
}

export async function startAttacked(options: AttackOptions): Promise<AttackedService> {
  const { keys } = options;
  const service = await startProcess(options);
  const { port, counts, acknowledged } = service;
  const pathOf = pathSequence();
  const start = (key: string): Reader => startReader(port, { key, nextPath: pathOf, pauseMs: 5 });
  const readers = { month: [start(keys.month), start(keys.month)], free: [start(keys.free)] };
  const all = [...readers.month, ...readers.free];

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (service.hasEnded()) throw new Error('the service exited');
      await clock.sleep(20);
    }
  }

  return {
    acknowledged,
    counts,
    keys,
    responses: () => responsesOf(all),
    monthResponses: () => responsesOf(readers.month),
    async untilAlive() {
      const before = {
        month: successesOf(readers.month),
        free: successesOf(readers.free),
        changes: counts.changes,
      };
      await until(
        () =>
          counts.changes >= before.changes + 5 &&
          successesOf(readers.month) >= before.month + 5 &&
          successesOf(readers.free) >= before.free + 5,
      );
    },
    async untilRejected(more) {
      const before = counts.changesRefused;
      await until(() => counts.changesRefused >= before + more);
    },
    requestCached: () => sendRequest({ port, key: keys.free, path: CACHED_PATH }),
    async end() {
      await Promise.all(all.map((reader) => reader.stop()));
      await service.end();
    },
    kill: () => service.kill(),
    async killAndWait() {
      service.kill();
      await service.ended;
      await Promise.all(all.map((reader) => reader.stop()));
    },
  };
}

/** Starts the service in a child process and follows its output. */
async function startProcess({ orders, execArgv = [], childEnv = {} }: AttackOptions) {
  const script = fileURLToPath(new URL('./service-child.ts', import.meta.url));
  const child = spawn(process.execPath, [...execArgv, script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...childEnv },
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const acknowledged = new Map<string, number>();
  const counts = { changes: 0, changesRefused: 0 };
  const unexpected: string[] = [];
  const ready = Promise.withResolvers<number>();
  let hasEnded = false;
  void ended.then(([code]) => {
    hasEnded = true;
    ready.reject(new Error(`the service exited with code ${code}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [event = '', rest = ''] = line.split(' ');
    if (event === 'ready') ready.resolve(Number(new URL(rest).port));
    else if (event === 'refused') counts.changesRefused += 1;
    else if (ROLE_SYMBOLS.includes(event)) {
      counts.changes += 1;
      acknowledged.set(event, Number(rest));
    } else unexpected.push(line);
  });
  return {
    port: await ready.promise,
    acknowledged,
    counts,
    ended,
    hasEnded: () => hasEnded,
    async end() {
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      expect([code, signal], 'a clean exit').toEqual([0, null]);
      expect(unexpected).toEqual([]);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function pathSequence(): () => string {
  let requestCount = 0;
  return () => {
    requestCount += 1;
    return `/v1/earnings?symbol=${ROLE_SYMBOLS[requestCount % ROLE_SYMBOLS.length]}`;
  };
}

function responsesOf(readers: readonly Reader[]): ObservedResponse[] {
  return readers.flatMap(({ responses: seen }) => seen);
}

function successesOf(readers: readonly Reader[]): number {
  return responsesOf(readers).filter(({ status }) => status === 200).length;
}

/**
 * Expects documented responses, no broken connection, and a monthly count that matches the
 * responses. Each 503 may have cost one request if its refund failed.
 */
export async function checkResponses(
  service: AttackedService,
  db: Db,
): Promise<Record<string, number>> {
  const { undocumented, unexpected, refused, ...figures } = summarize(service.responses());
  expect(refused, 'the plans are wide').toBe(0);
  expect(undocumented.filter((response) => !isUnavailable(response)).slice(0, 3)).toEqual([]);
  expect(unexpected.slice(0, 3)).toEqual([]);
  expect(figures.broken).toBe(0);
  const month = summarize(service.monthResponses());
  const [row] = await db.query<{ used: number }>(
    'select month_count as used from quota_use where customer_id = $1',
    [service.keys.monthCustomer],
  );
  const used = row?.used ?? 0;
  expect(used).toBeGreaterThanOrEqual(month.successes);
  expect(used).toBeLessThanOrEqual(month.successes + month.unavailable);
  return { ...figures, month: month.successes, monthUsed: used };
}

/** Checks whether the response is a 503 with Retry-After. */
function isUnavailable({ status, retryAfter, body }: ObservedResponse): boolean {
  return status === 503 && retryAfter !== null && body.includes('"code":"data-unavailable"');
}

export function startReceivers(seed: number): Promise<LedgerProcess> {
  return startLedger({ secret: SECRET, seed });
}

/**
 * Returns the process's environment: receivers on the loopback interface, and the tests' encryption
 * key. The store counts every request, because a crash of PostgreSQL may cost a leased block.
 */
export function attackedEnv(receivers: { port: number }): Record<string, string> {
  return {
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_DEV_ALLOW: `127.0.0.1:${receivers.port}`,
    QUOTA_BLOCK_PERCENT: '0',
  };
}
