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
import { judge } from '../roles/judge.ts';
import { ask, type Reader, type Seen, startReader } from '../roles/reader.ts';
import { firstFiles, ROLE_SYMBOLS } from '../roles/scripted-files.ts';
import { SECRET } from '../webhook-kills.ts';
import { type LedgerProcess, startLedger } from '../webhook-ledger.ts';
import type { ServiceOrders } from './service-child.ts';

const clock = systemClock();
const MANY = 1_000_000;
/** Of these two one counts against a month, so that no midnight falls into a run. */
const PLANS = ['attack-month', 'attack-free'] as const;
/** Nobody changes it, so that its answer is kept. */
const KEPT_PATH = '/v1/profile/AAA';

export interface Keys {
  month: string;
  free: string;
  /** Who holds the first. */
  monthCustomer: string;
}

/** A running service under readers, changes and deliveries, and what it has told of. */
export interface AttackedService {
  /** The newest count of each symbol that the store has acknowledged. */
  acknowledged: ReadonlyMap<string, number>;
  counts: { changes: number; changesRefused: number };
  keys: Keys;
  /** Everything the readers saw. */
  seen(): Seen[];
  seenOfMonth(): Seen[];
  /**
   * Resolves when each of the readers got five answers and five changes were stored since the call.
   * POSTs may rest: what failed is tried again minutes later.
   */
  showsLife(): Promise<void>;
  /** Resolves when so many more changes were refused. */
  refuses(more: number): Promise<void>;
  /** One answer that is kept, asked without a quota. */
  askKept(): Promise<{ status: number | null }>;
  /** Ends readers and service, which must end well. */
  end(): Promise<void>;
  kill(): void;
}

/** What a store needs before the service starts: companies, reports, plans, two customers with keys. */
export async function fillStore(db: Db): Promise<Keys> {
  await claimMarker(db, 'kind', 'live');
  const ingest = createIngest({ db, clock, providers: [files], onCommit: () => undefined });
  for (const answer of firstFiles(clock.now())) await ingest(answer);
  for (const [index, name] of PLANS.entries()) {
    await db.query('insert into plan (name, per_minute, per_month) values ($1, $2, $3)', [
      name,
      MANY,
      index === 0 ? MANY : null,
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

export async function startAttacked(options: {
  orders: ServiceOrders;
  keys: Keys;
  /** For the process: flags of Node's own. */
  execArgv?: readonly string[];
  childEnv?: Record<string, string>;
}): Promise<AttackedService> {
  const { orders, keys, execArgv = [], childEnv = {} } = options;
  const script = fileURLToPath(new URL('./service-child.ts', import.meta.url));
  const child = spawn(process.execPath, [...execArgv, script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...childEnv },
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const acknowledged = new Map<string, number>();
  const counts = { changes: 0, changesRefused: 0 };
  const strange: string[] = [];
  const ready = Promise.withResolvers<number>();
  let hasEnded = false;
  void ended.then(([code]) => {
    hasEnded = true;
    ready.reject(new Error(`the service ended with ${code}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word = '', rest = ''] = line.split(' ');
    if (word === 'ready') ready.resolve(Number(new URL(rest).port));
    else if (word === 'refused') counts.changesRefused += 1;
    else if (ROLE_SYMBOLS.includes(word)) {
      counts.changes += 1;
      acknowledged.set(word, Number(rest));
    } else strange.push(line);
  });
  const port = await ready.promise;
  let turn = 0;
  const pathOf = (): string => {
    turn += 1;
    return `/v1/earnings?symbol=${ROLE_SYMBOLS[turn % ROLE_SYMBOLS.length]}`;
  };
  const start = (key: string): Reader => startReader(port, { key, pathOf, pauseMs: 5 });
  const readers = { month: [start(keys.month), start(keys.month)], free: [start(keys.free)] };
  const seenOf = (some: readonly Reader[]): Seen[] => some.flatMap(({ seen }) => seen);
  const all = [...readers.month, ...readers.free];

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (hasEnded) throw new Error('the service ended by itself');
      await clock.sleep(20);
    }
  }

  return {
    acknowledged,
    counts,
    keys,
    seen: () => seenOf(all),
    seenOfMonth: () => seenOf(readers.month),
    async showsLife() {
      const answered = (some: readonly Reader[]): number =>
        seenOf(some).filter(({ status }) => status === 200).length;
      const before = {
        month: answered(readers.month),
        free: answered(readers.free),
        changes: counts.changes,
      };
      await until(
        () =>
          counts.changes >= before.changes + 5 &&
          answered(readers.month) >= before.month + 5 &&
          answered(readers.free) >= before.free + 5,
      );
    },
    async refuses(more) {
      const before = counts.changesRefused;
      await until(() => counts.changesRefused >= before + more);
    },
    askKept: () =>
      ask({
        port,
        key: keys.free,
        path: KEPT_PATH,
      }),
    async end() {
      await Promise.all(all.map((reader) => reader.stop()));
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      expect([code, signal], 'it ends in order').toEqual([0, null]);
      expect(strange).toEqual([]);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * No answer was undocumented, no connection broke, and the month holds what was answered: each refusal
 * may have cost one at most, when nobody could give it back.
 */
export async function checkAnswers(
  service: AttackedService,
  db: Db,
): Promise<Record<string, number>> {
  const { undocumented, strange, refused, ...figures } = judge(service.seen());
  expect(refused, 'the plans are wide').toBe(0);
  expect(undocumented.filter((one) => !saysUnavailable(one)).slice(0, 3)).toEqual([]);
  expect(strange.slice(0, 3)).toEqual([]);
  expect(figures.broken).toBe(0);
  const month = judge(service.seenOfMonth());
  const [row] = await db.query<{ used: number }>(
    'select month_count as used from quota_use where customer_id = $1',
    [service.keys.monthCustomer],
  );
  const used = row?.used ?? 0;
  expect(used).toBeGreaterThanOrEqual(month.answers);
  expect(used).toBeLessThanOrEqual(month.answers + month.unavailable);
  return { ...figures, month: month.answers, monthUsed: used };
}

/** The data could not be read, and when to come again is told. */
function saysUnavailable({ status, retryAfter, body }: Seen): boolean {
  return status === 503 && retryAfter !== null && body.includes('"code":"data-unavailable"');
}

export function startReceivers(seed: number): Promise<LedgerProcess> {
  return startLedger({ secret: SECRET, seed });
}

/** The settings of the process: receivers on the loopback, and the secrets of the tests' box. */
export function attackedEnv(receivers: LedgerProcess): Record<string, string> {
  return {
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_DEV_ALLOW: `127.0.0.1:${receivers.port}`,
  };
}
