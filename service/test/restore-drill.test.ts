import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEpoch } from '../src/app/store-epoch.ts';
import { RESTORE_FIXUPS } from '../src/cli/commands/restore.ts';
import { systemClock } from '../src/platform/clock.ts';
import { seededRandom } from '../src/platform/random.ts';
import { openArchive } from '../src/storage/backup/read-archive.ts';
import { restoreEmbedded, restorePostgres } from '../src/storage/backup/restore-backup.ts';
import { measureTable } from '../src/storage/backup/tables.ts';
import { writeBackup } from '../src/storage/backup/write-backup.ts';
import type { Db } from '../src/storage/db.ts';
import { openStore } from '../src/storage/open-store.ts';
import {
  DRILL_KEYS,
  DRILL_SECRET,
  fillDrillStore,
  newestCounts,
  startDrillLoad,
  startDrillWorker,
  untilDrained,
} from './support/restore-drill.ts';
import { emptyPostgres } from './support/empty-postgres.ts';
import { deliveryRows } from './support/webhook-world.ts';
import { flaky, type Receivers, startReceivers } from './support/webhook-receiver.ts';

const CYCLES = Math.min(100, Number(process.env['AFTERBELL_KILLS'] ?? 1));
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_123);
// Time to advance the clock so that all retries are due.
const AHEAD_MS = 12 * 3_600_000;
const ENDS = ['delivered', 'superseded', 'cancelled'];
const clock = systemClock();

const CHANGED_BY_RESTORE = new Set([
  'commit_log',
  'delivery',
  'delivery_attempt',
  'delivery_claim',
  'session',
  'store_epoch',
  'store_marker',
  'webhook_subscription',
]);

type Engine = 'pglite' | 'postgres';
const WAYS: readonly (readonly [Engine, Engine])[] = [
  ['pglite', 'postgres'],
  ['postgres', 'pglite'],
  ['pglite', 'pglite'],
  ['postgres', 'postgres'],
];

test(
  `restores each of ${CYCLES} backups taken under load to the state at that moment, and resumes deliveries (seed ${SEED})`,
  { timeout: 240_000 + CYCLES * 120_000 },
  async () => {
    const server = await emptyPostgres();
    const ways = 'missing' in server ? WAYS.slice(2, 3) : WAYS;
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const [from, to] = ways[cycle % ways.length] ?? ['pglite', 'pglite'];
      await runCycle(from, to, SEED + cycle);
    }
  },
);

async function runCycle(from: Engine, to: Engine, seed: number): Promise<void> {
  const note = `${from} to ${to}, seed ${seed}`;
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-drill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const before = await startReceivers(DRILL_SECRET);
  before.behave(flaky(seededRandom(seed)));
  const file = join(folder, 'backup.tar');
  const acknowledged = await backUpUnderLoad(await newStore(from, join(folder, 'a')), {
    file,
    seed,
    note,
    receivers: before,
  });
  const restored = await restore(file, to, join(folder, 'b'), note);

  const counts = await newestCounts(restored);
  for (const [symbol, count] of acknowledged) {
    expect(counts.get(symbol), `${symbol}, ${note}`).toBeGreaterThanOrEqual(count);
  }
  await goOn(restored, before, note);
  await before.close();
  await rm(folder, { recursive: true, force: true });
}

/** Takes a backup. Returns what had been acknowledged when it began and must therefore be in it. */
async function backUpUnderLoad(
  db: Db,
  on: { file: string; seed: number; note: string; receivers: Receivers },
): Promise<Map<string, number>> {
  const { file, seed, note, receivers } = on;
  await fillDrillStore(db, receivers.port);
  const worker = startDrillWorker(db, receivers.port);
  const load = startDrillLoad(db, worker, seed);
  await expect.poll(() => receivers.postCount()).toBeGreaterThan(30);
  const acknowledged = new Map(load.acknowledged);
  const reads = load.reads();
  const changes = Math.max(...acknowledged.values());
  await writeBackup({ db, file, now: clock.now(), program: '0.0.0' });
  expect(load.reads(), `reads went on, ${note}`).toBeGreaterThan(reads);
  expect(Math.max(...load.acknowledged.values()), `changes went on, ${note}`).toBeGreaterThan(
    changes,
  );
  await load.stop();
  await worker.stop();
  await db.close();
  return acknowledged;
}

/**
 * Restores the backup and checks that every table's row count and checksum match it, except for
 * rows that the restore changes.
 */
async function restore(file: string, to: Engine, folder: string, note: string): Promise<Db> {
  const archive = await openArchive(file);
  const target = {
    archive,
    fixups: RESTORE_FIXUPS,
    onRestored: async (db: Db) => void (await startEpoch(db, 'restore')),
  };
  let db: Db;
  if (to === 'pglite') {
    await restoreEmbedded(folder, target);
    db = await openStore({ folder });
  } else {
    const { url } = await emptyUrl();
    await restorePostgres(url, target);
    db = await openStore({ databaseUrl: url });
  }
  const { tables } = archive.manifest;
  await archive.close();
  for (const told of tables.filter(({ name }) => !CHANGED_BY_RESTORE.has(name))) {
    expect(await measureTable(db, told), note).toEqual(told);
  }
  const deliveries = tables.find(({ name }) => name === 'delivery');
  // Pending deliveries were replaced by new ones.
  expect((await deliveryRows(db)).length, note).toBeGreaterThanOrEqual(deliveries?.rows ?? 0);
  // Returns one row. A delivery still claimed by a process that no longer exists would only become
  // due after its lease expires.
  const [held] = await db.query<{ count: number }>('select count(*) as count from delivery_claim');
  expect(held, note).toEqual({ count: 0 });
  return db;
}

/**
 * Lets the restored store send its pending deliveries to receivers that know the earlier
 * deliveries.
 */
async function goOn(db: Db, before: Receivers, note: string): Promise<void> {
  const after = await startReceivers(DRILL_SECRET);
  // The first store's receivers continued to receive deliveries after the backup, so the restored
  // store sends to new ones.
  await db.query(`update webhook_endpoint set url = replace(url, $1, $2)`, [
    `:${before.port}/`,
    `:${after.port}/`,
  ]);
  const worker = startDrillWorker(db, after.port, AHEAD_MS);
  await untilDrained(db);
  await worker.stop();
  expect(after.violations, note).toEqual([]);
  const rows = await deliveryRows(db);
  expect(
    rows.filter(({ state }) => !ENDS.includes(state)),
    note,
  ).toEqual([]);
  const falsely = rows.filter(
    ({ id, state }) =>
      state === 'delivered' && !after.acknowledgedIds.has(id) && !before.acknowledgedIds.has(id),
  );
  expect(falsely, note).toEqual([]);
  const counts = await newestCounts(db);
  for (const { path, symbol } of DRILL_KEYS) {
    const key = `/${path} ${symbol}`;
    const seen = Math.max(after.latestCounts.get(key) ?? 0, before.latestCounts.get(key) ?? 0);
    expect(seen, `${key}, ${note}`).toBeGreaterThanOrEqual(counts.get(symbol) ?? 0);
  }
  await db.close();
  await after.close();
}

async function newStore(engine: Engine, folder: string): Promise<Db> {
  if (engine === 'pglite') return openStore({ folder });
  return openStore({ databaseUrl: (await emptyUrl()).url });
}

async function emptyUrl(): Promise<{ url: string }> {
  const empty = await emptyPostgres();
  if ('missing' in empty) throw new Error(empty.missing);
  return empty;
}
