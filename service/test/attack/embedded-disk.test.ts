import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { openPglite } from '../../src/storage/engines/pglite/pglite.ts';
import { storeFolder } from '../../src/app/store-kind.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import {
  attackedEnv,
  type AttackedService,
  checkResponses,
  fillStore,
  type Keys,
  startAttacked,
  startReceivers,
} from '../support/attack/attacked-service.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { snapshotFile } from '../support/stores.ts';
import { checkEnd, prepareStore, startChild } from '../support/webhook-kills.ts';
import type { LedgerProcess } from '../support/webhook-ledger.ts';

const SEED = runSeed();
const FULL = runSize({ slice: 1, whole: 20 });
const SLOW_MS = runSize({ slice: 1_500, whole: 120_000 });
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 240_000 + 60_000 * FULL + SLOW_MS };
const HOOK = fileURLToPath(new URL('../support/attack/faulty-disk.ts', import.meta.url));
const clock = systemClock();

test(
  `loses no data when the embedded store's disk fills up ${FULL} times and then slows down (seed ${SEED})`,
  TIMEOUT,
  async () => {
    const folder = scratchFolder();
    const receivers = await startReceivers(SEED);
    onTestFinished(receivers.stop);
    const store = { folder: storeFolder(folder, 'live') };
    const keys = await prepare(store, receivers);
    const disk = orderedDisk(join(folder, 'disk'));
    const service = await startAttacked({
      orders: {
        flags: { dataDir: folder },
        env: attackedEnv(receivers),
        seed: SEED,
      },
      keys,
      execArgv: ['--import', HOOK],
      childEnv: { AFTERBELL_TEST_DISK: disk.file },
    });
    onTestFinished(service.kill);
    await service.untilAlive();
    await fillAgainAndAgain(service, disk);
    await slowDown(service, disk);
    await service.end();

    const db = await openStore(store);
    const figures = await checkResponses(service, db);
    await db.close();
    await receivers.calm();
    // This worker's clock is ahead, so all earlier leases and retries are due.
    const drain = startChild(store, receivers.port, { drains: true, aheadMs: 20 * HOUR });
    expect(await drain.exitCode).toBe(0);
    const ledger = await receivers.ledger();
    const note = `seed ${SEED}`;
    const { deliveries } = await checkEnd(store, ledger, service.acknowledged, note);
    const summary = { seed: SEED, ...figures, ...service.counts, deliveries, posts: ledger.posts };
    process.stderr.write(`${JSON.stringify(summary)}\n`);
  },
);

/**
 * Fills the disk repeatedly. Every other time, writes to the write-ahead log fail too, which
 * crashes the engine.
 */
async function fillAgainAndAgain(service: AttackedService, disk: OrderedDisk): Promise<void> {
  const random = seededRandom(SEED);
  for (let time = 0; time < FULL; time += 1) {
    await clock.sleep(random.int(300));
    expect((await service.requestCached()).status).toBe(200);
    const isLogHit = time % 2 === 0;
    disk.set(isLogHit ? 'full log' : 'full');
    await service.untilRejected(1 + random.int(5));
    // After a crash the engine reopens only once the disk has space again.
    expect(isLogHit ? [200, 503] : [200]).toContain((await service.requestCached()).status);
    disk.set(null);
    await service.untilAlive();
  }
}

async function slowDown(service: AttackedService, disk: OrderedDisk): Promise<void> {
  const before = { responses: service.responses().length, changes: service.counts.changes };
  disk.set('slow 500');
  const endsMs = clock.monotonicMs() + SLOW_MS;
  while (clock.monotonicMs() < endsMs) {
    expect((await service.requestCached()).status).toBe(200);
    await clock.sleep(10);
  }
  disk.set(null);
  const responses = service.responses().length - before.responses;
  const changes = service.counts.changes - before.changes;
  process.stderr.write(`slow: ${JSON.stringify({ responses, changes })}\n`);
  await service.untilAlive();
}

interface OrderedDisk {
  file: string;
  /** Sets how the disk misbehaves. With null it works normally. */
  set(order: string | null): void;
}

function orderedDisk(file: string): OrderedDisk {
  return {
    file,
    set(order) {
      if (order === null) rmSync(file, { force: true });
      else writeFileSync(file, order);
    },
  };
}

async function prepare(store: { folder: string }, receivers: LedgerProcess): Promise<Keys> {
  // Copies a prepared snapshot, because creating the files and the schema takes seconds.
  mkdirSync(store.folder, { recursive: true, mode: 0o700 });
  const dataDir = join(store.folder, 'pg');
  const db = await openPglite({ dataDir, snapshotFile: await snapshotFile() });
  await db.close();
  let keys: Keys | undefined;
  await prepareStore(store, receivers.port, SEED, async (db) => {
    keys = await fillStore(db);
  });
  if (keys === undefined) throw new Error('the store is empty');
  return keys;
}
