import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { postgresStore } from '../../test/support/stores.ts';
import {
  checkEnd,
  killChild,
  type KillStore,
  PAST_LEASE_MS,
  prepareStore,
  readChanges,
  SECRET,
  startChild,
} from '../../test/support/webhook-kills.ts';
import { startLedger } from '../../test/support/webhook-ledger.ts';
import { type Receivers, startReceivers } from '../../test/support/webhook-receiver.ts';
import { deliveryRows } from '../../test/support/webhook-world.ts';
import { systemClock } from '../platform/clock.ts';
import { seededRandom } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import { openStore } from '../storage/open-store.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 2);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_120);
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 240_000 + KILLS * 20_000 };

describe('embedded', () => {
  test(`loses no changes when killed with kill -9 at any moment (seed ${SEED})`, TIMEOUT, () =>
    inFolder(killAndDrain),
  );
  test('releases or finishes every claim on SIGTERM', TIMEOUT, () => inFolder(stopGracefully));
});

describe('PostgreSQL', () => {
  // Kills of the worker, the database or both on PostgreSQL are tested in kill-database.test.ts.
  test('releases or finishes every claim on SIGTERM', TIMEOUT, ({ skip }) =>
    onServer(stopGracefully, skip),
  );
  test(
    'leaves deliveries unchanged when a suspended process resumes after its lease has expired',
    TIMEOUT,
    ({ skip }) => onServer(stopPastLease, skip),
  );
});

async function inFolder(play: (store: KillStore) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-kill-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await play({ folder });
}

async function onServer(
  play: (store: KillStore) => Promise<void>,
  skip: (why: string) => void,
): Promise<void> {
  const server = await postgresStore();
  if ('missing' in server) return skip(server.missing);
  await server.db.close();
  await play({ databaseUrl: server.url });
}

/** Here the worker and the store are one process and are killed together. */
async function killAndDrain(store: KillStore): Promise<void> {
  const receivers = await startLedger({ secret: SECRET, seed: SEED });
  onTestFinished(receivers.stop);
  await prepareStore(store, receivers.port, SEED);
  const random = seededRandom(SEED);
  const acknowledged = new Map<string, number>();
  let aheadMs = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const orders = { publishes: true, seed: SEED + kill, aheadMs };
    const child = startChild(store, receivers.port, orders);
    const changeCount = 20 + random.int(150);
    expect(await readChanges(child, changeCount, acknowledged)).toBe(changeCount);
    await killChild(child, acknowledged);
    aheadMs += PAST_LEASE_MS;
  }
  await receivers.calm();
  // The clock is ahead, so that all earlier leases have expired and all retries are due.
  aheadMs += 20 * HOUR;
  const last = startChild(store, receivers.port, { drains: true, aheadMs });
  expect(await last.exitCode).toBe(0);
  await checkEnd(store, await receivers.ledger(), acknowledged, `seed ${SEED}`);
}

async function stopGracefully(store: KillStore): Promise<void> {
  const receivers = await prepare(store);
  const child = startChild(store, receivers.port, { publishes: true, seed: SEED });
  expect(await readChanges(child, 60, new Map())).toBe(60);
  child.process.kill('SIGTERM');
  expect(await child.exitCode).toBe(0);
  const db = await openStore(store);
  const rows = await deliveryRows(db);
  const started = await db.query(`select 1 from delivery_attempt where state <> 'finished'`);
  await db.close();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ state }) => state === 'in_progress')).toEqual([]);
  expect(started).toEqual([]);
  expect(receivers.violations).toEqual([]);
}

/** Suspends the first process while its receiver is holding back the response to a POST. */
async function stopPastLease(store: KillStore): Promise<void> {
  const receivers = await prepare(store);
  receivers.behave(() => 'hold');
  const { port } = receivers;
  const first = startChild(store, port, { publishes: true, seed: SEED, changesMax: 4 });
  const clock = systemClock();
  const db = await openStore(store);
  // Repeats until all deliveries that may be in flight have reached the receiver and the process is
  // outside a transaction. Otherwise the second process would wait for its locks.
  for (
    let heldCount = -1;
    heldCount < 1 || heldCount < receivers.heldCount() || (await hasOpenTransaction(db));
  ) {
    first.process.kill('SIGCONT');
    heldCount = receivers.heldCount();
    await clock.sleep(300);
    first.process.kill('SIGSTOP');
  }
  receivers.behave(() => 'answer');
  // This clock is ahead, so the leases of the first process have expired for the second.
  const second = startChild(store, port, { drains: true, aheadMs: 120_000 });
  expect(await second.exitCode).toBe(0);
  const before = await deliveryRows(db);
  receivers.respondToHeld(500);
  first.process.kill('SIGCONT');
  first.process.kill('SIGTERM');
  expect(await first.exitCode).toBe(0);
  const after = new Map((await deliveryRows(db)).map((row) => [row.id, row]));
  const late = await db.query(`select 1 from delivery_attempt where response_status = 500`);
  await db.close();
  expect(late.length).toBeGreaterThan(0);
  expect(before.some((row) => row.unknown_count > 0)).toBe(true);
  for (const row of before) expect(after.get(row.id)).toEqual(row);
  expect(receivers.violations).toEqual([]);
}

/** Returns true if another process has an open transaction. */
async function hasOpenTransaction(db: Db): Promise<boolean> {
  // Returns a row per open transaction, from pg_stat_activity.
  const transactions = await db.query(
    `select 1 from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and xact_start is not null`,
  );
  return transactions.length > 0;
}

async function prepare(store: KillStore): Promise<Receivers> {
  const receivers = await startReceivers(SECRET);
  onTestFinished(() => receivers.close());
  await prepareStore(store, receivers.port, SEED);
  return receivers;
}
