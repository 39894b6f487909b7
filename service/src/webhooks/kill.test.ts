import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { postgresStore } from '../../test/support/stores.ts';
import type { ChildOrders } from '../../test/support/webhook-child.ts';
import {
  addCompanies,
  addEndpoint,
  deliveryRows,
  engineDeps,
  subscribe,
} from '../../test/support/webhook-world.ts';
import { moody, startReceivers } from '../../test/support/webhook-receiver.ts';
import type { Receivers } from '../../test/support/webhook-receiver.ts';
import { insertSecret } from '../deliveries/secret-store.ts';
import { systemClock } from '../platform/clock.ts';
import { seededRandom } from '../platform/random.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { openStore } from '../storage/open-store.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 4);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const SECRET = 'whsec_of-the-kill-test';
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
const PATHS = ['ep1', 'ep2', 'ep3', 'ep4'];
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 90_000 + KILLS * 20_000 };

type Store = ChildOrders['store'];

describe('embedded', () => {
  test(`nothing is lost by kill -9 at any moment (seed ${SEED})`, TIMEOUT, () =>
    inFolder(killAndDrain),
  );
  test('told to end, it gives back or finishes all it had claimed', TIMEOUT, () =>
    inFolder(endInOrder),
  );
});

describe('PostgreSQL', () => {
  test(`nothing is lost by kill -9 at any moment (seed ${SEED})`, TIMEOUT, ({ skip }) =>
    onServer(killAndDrain, skip),
  );
  test('told to end, it gives back or finishes all it had claimed', TIMEOUT, ({ skip }) =>
    onServer(endInOrder, skip),
  );
  test('a process stopped past its lease changes nothing when it goes on', TIMEOUT, ({ skip }) =>
    onServer(stopPastLease, skip),
  );
});

async function inFolder(play: (store: Store) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await play({ folder });
}

async function onServer(
  play: (store: Store) => Promise<void>,
  skip: (why: string) => void,
): Promise<void> {
  const server = await postgresStore();
  if ('missing' in server) return skip(server.missing);
  await server.db.close();
  await play({ databaseUrl: server.url });
}

async function killAndDrain(store: Store): Promise<void> {
  const receivers = await prepare(store);
  const random = seededRandom(SEED);
  receivers.behave(moody(random));
  const acknowledged = new Map<string, number>();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = startChild(store, receivers, { publishes: true, seed: SEED + kill });
    await killAfter(child, 20 + random.int(150), acknowledged);
  }
  receivers.behave(() => 'answer');
  // Leases and retries of before are due by this clock; nothing was observed a day ago yet.
  const last = startChild(store, receivers, { drains: true, aheadMs: 20 * HOUR });
  expect(await last.ended).toBe(0);
  await checkEnd(store, receivers, acknowledged);
}

async function endInOrder(store: Store): Promise<void> {
  const receivers = await prepare(store);
  const child = startChild(store, receivers, { publishes: true, seed: SEED });
  let count = 0;
  for await (const _ of child.lines) {
    count += 1;
    if (count === 60) child.process.kill('SIGTERM');
  }
  expect(await child.ended).toBe(0);
  const db = await openStore(store);
  const rows = await deliveryRows(db);
  const started = await db.query(`select 1 from delivery_attempt where state <> 'finished'`);
  await db.close();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ state }) => state === 'in_progress')).toEqual([]);
  expect(started).toEqual([]);
  expect(receivers.wrong).toEqual([]);
}

/** The first process holds a POST that its receiver does not answer, and is stopped. */
async function stopPastLease(store: Store): Promise<void> {
  const receivers = await prepare(store);
  receivers.behave(() => 'hold');
  const first = startChild(store, receivers, { publishes: true, seed: SEED, changesMax: 4 });
  const clock = systemClock();
  // All that its lanes allow: then it holds no lock that the other process would wait for.
  for (let held = -1; held < 1 || held < receivers.heldCount();) {
    held = receivers.heldCount();
    await clock.sleep(300);
  }
  first.process.kill('SIGSTOP');
  receivers.behave(() => 'answer');
  // To this process's clock the leases of the first have run out.
  const second = startChild(store, receivers, { drains: true, aheadMs: 120_000 });
  expect(await second.ended).toBe(0);
  const db = await openStore(store);
  const before = await deliveryRows(db);
  receivers.release(500);
  first.process.kill('SIGCONT');
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const after = new Map((await deliveryRows(db)).map((row) => [row.id, row]));
  const late = await db.query(`select 1 from delivery_attempt where response_status = 500`);
  await db.close();
  expect(late.length).toBeGreaterThan(0);
  expect(before.some((row) => row.unknown_count > 0)).toBe(true);
  for (const row of before) expect(after.get(row.id)).toEqual(row);
  expect(receivers.wrong).toEqual([]);
}

async function prepare(store: Store): Promise<Receivers> {
  const receivers = await startReceivers(SECRET);
  onTestFinished(() => receivers.close());
  const db = await openStore(store);
  const clock = systemClock();
  const box = createSecretBox([new Uint8Array(32).fill(7)], seededRandom(SEED));
  await addCompanies(db, SYMBOLS);
  for (const [index, path] of PATHS.entries()) {
    const url = `http://127.0.0.1:${receivers.port}/${path}`;
    await addEndpoint(db, path, { url, customerId: `cus_${index % 3}`, isSlow: index === 0 });
    await db.transaction((tx) =>
      insertSecret(tx, box, {
        endpointId: path,
        role: 'current',
        secret: SECRET,
        now: clock.now(),
      }),
    );
    await subscribe(engineDeps(db, clock), path, SYMBOLS);
  }
  await db.close();
  return receivers;
}

/** Every change acknowledged is stored; each receiver holds the store's newest; no false delivery. */
async function checkEnd(
  store: Store,
  receivers: Receivers,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> {
  const db = await openStore(store);
  const rows = await deliveryRows(db);
  const events = await db.query<{ symbol: string; count: string | null }>(
    `select symbol, revenue_estimate as count from earnings_event where known_to is null`,
  );
  await db.close();
  const note = `seed ${SEED}`;
  expect(receivers.wrong, note).toEqual([]);
  const states = new Set(rows.map(({ state }) => state));
  expect(
    [...states].filter((state) => !ENDS.includes(state)),
    note,
  ).toEqual([]);
  for (const { id, state } of rows) {
    if (state === 'delivered') expect(receivers.answered.has(id), `${id}, ${note}`).toBe(true);
  }
  expect(rows.length, note).toBeGreaterThan(PATHS.length);
  for (const { symbol, count } of events) {
    expect(Number(count), `${symbol}, ${note}`).toBeGreaterThanOrEqual(
      acknowledged.get(symbol) ?? 0,
    );
    for (const path of PATHS) {
      const key = `/${path} ${symbol}`;
      expect(receivers.newest.get(key) ?? 0, `${key}, ${note}`).toBe(Number(count));
    }
  }
}

const ENDS = ['delivered', 'superseded', 'cancelled'];

interface Child {
  process: ChildProcess;
  lines: AsyncIterable<string>;
  /** Its exit code; null when it was killed. */
  ended: Promise<number | null>;
}

function startChild(
  store: Store,
  { port }: Receivers,
  over: Partial<ChildOrders> & { seed?: number },
): Child {
  const script = fileURLToPath(new URL('../../test/support/webhook-child.ts', import.meta.url));
  const orders: ChildOrders = {
    ...{ store, port, symbols: SYMBOLS, seed: 1, publishes: false, aheadMs: 0, drains: false },
    changesMax: Number.MAX_SAFE_INTEGER,
    ...over,
  };
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { process: child, lines: createInterface({ input: child.stdout }), ended };
}

async function killAfter(
  child: Child,
  changes: number,
  acknowledged: Map<string, number>,
): Promise<void> {
  let count = 0;
  for await (const line of child.lines) {
    const [symbol = '', number] = line.split(' ');
    if (number === undefined) continue;
    acknowledged.set(symbol, Number(number));
    count += 1;
    if (count === changes) child.process.kill('SIGKILL');
  }
  await child.ended;
  expect(count).toBeGreaterThanOrEqual(changes);
}
