import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { insertSecret } from '../../src/webhooks/secret/secret-store.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { ChildOptions } from './webhook-child.ts';
import type { Ledger } from './webhook-ledger.ts';
import { addCompanies, addEndpoint, deliveryRows, engineDeps, subscribe } from './webhook-world.ts';

export const SECRET = 'whsec_of-the-kill-test';
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
const PATHS = ['ep1', 'ep2', 'ep3', 'ep4'];
const ENDS = ['delivered', 'superseded', 'cancelled'];
/** A little longer than a lease, so the next worker may claim a killed worker's deliveries. */
export const PAST_LEASE_MS = 61_000;

export type KillStore = ChildOptions['store'];

/**
 * Adds companies, and endpoints on the loopback address that are subscribed to all of them. Some
 * endpoints belong to the same customer. `fill` overrides how the companies are added.
 */
export async function prepareStore(
  store: KillStore,
  port: number,
  seed: number,
  fill: (db: Db) => Promise<void> = (db) => addCompanies(db, SYMBOLS),
): Promise<void> {
  const db = await openStore(store);
  const clock = systemClock();
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(seed));
  await fill(db);
  for (const [index, path] of PATHS.entries()) {
    const url = `http://127.0.0.1:${port}/${path}`;
    await addEndpoint(db, path, { url, customerId: `cus_${index % 3}`, isSlow: index === 0 });
    const secret = { endpointId: path, role: 'current' as const, secret: SECRET };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    await subscribe(engineDeps(db, clock), path, SYMBOLS);
  }
  await db.close();
}

export interface KillChild {
  process: ChildProcess;
  lines: AsyncIterator<string>;
  /** The exit code, or null if the process was killed. */
  exitCode: Promise<number | null>;
}

/** Starts a worker in its own process, which is ended with the test at the latest. */
export function startChild(
  store: KillStore,
  port: number,
  overrides: Partial<ChildOptions>,
): KillChild {
  const script = fileURLToPath(new URL('./webhook-child.ts', import.meta.url));
  const orders: ChildOptions = {
    store,
    port,
    symbols: SYMBOLS,
    seed: 1,
    publishes: false,
    aheadMs: 0,
    drains: false,
    changesMax: Number.MAX_SAFE_INTEGER,
    ...overrides,
  };
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exitCode = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { process: child, lines, exitCode };
}

/**
 * Reads the changes that a child acknowledges, until there are `changeCount` of them or the child
 * ends. Returns their number.
 */
export async function readChanges(
  { lines }: KillChild,
  changeCount: number,
  acknowledged: Map<string, number>,
): Promise<number> {
  for (let count = 0; count < changeCount;) {
    const line = await lines.next();
    if (line.done === true) return count;
    const [symbol = '', number] = line.value.split(' ');
    if (number === undefined) continue;
    acknowledged.set(symbol, Number(number));
    count += 1;
  }
  return changeCount;
}

/** Kills the child. Changes that it had already acknowledged must still be stored. */
export async function killChild(
  child: KillChild,
  acknowledged: Map<string, number>,
): Promise<void> {
  child.process.kill('SIGKILL');
  await readChanges(child, Number.POSITIVE_INFINITY, acknowledged);
  expect(await child.exitCode, 'the worker exited unexpectedly').toBe(null);
}

/**
 * Checks that every acknowledged change is stored, every receiver has the store's latest data, and
 * no delivery was recorded incorrectly.
 */
export async function checkEnd(
  store: KillStore,
  ledger: Omit<Ledger, 'posts'>,
  acknowledged: ReadonlyMap<string, number>,
  note: string,
): Promise<{ deliveries: number }> {
  const db = await openStore(store);
  const rows = await deliveryRows(db);
  const events = await db.query<{ symbol: string; count: string | null }>(
    `select symbol, revenue_estimate as count from earnings_event where known_to is null`,
  );
  await db.close();
  expect(ledger.violations, note).toEqual([]);
  const openRows = rows.filter(({ state }) => !ENDS.includes(state));
  expect(openRows, note).toEqual([]);
  const falsely = rows.filter(
    ({ id, state }) => state === 'delivered' && !ledger.acknowledgedIds.has(id),
  );
  expect(falsely, note).toEqual([]);
  expect(rows.length, note).toBeGreaterThan(PATHS.length);
  for (const { symbol, count } of events) {
    expect(Number(count), `${symbol}, ${note}`).toBeGreaterThanOrEqual(
      acknowledged.get(symbol) ?? 0,
    );
    for (const path of PATHS) {
      const key = `/${path} ${symbol}`;
      expect(ledger.latestCounts.get(key) ?? 0, `${key}, ${note}`).toBe(Number(count));
    }
  }
  return { deliveries: rows.length };
}
