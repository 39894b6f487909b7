import { expect, test, vi } from 'vitest';
import { ATTEMPT_DELAYS_MS } from '../../src/webhooks/queue/retry-schedule.ts';
import { insertSecret } from '../../src/webhooks/secret/secret-store.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db, Row } from '../../src/storage/db.ts';
import { startWebhookWorker } from '../../src/delivery/worker/worker.ts';
import { countingDb } from '../support/counting-db.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { watchedClock } from '../support/scripted-source.ts';
import { silentLog } from '../support/logs.ts';
import { memoryStore } from '../support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  respondWith,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from '../support/webhook-world.ts';

vi.setConfig({ testTimeout: runSize({ slice: 240_000, whole: 14_400_000 }) });

const SEED = runSeed();
const STEPS = runSize({ slice: 3, whole: 200 });
const NOW = Date.parse('2026-11-16T15:00:00Z');
const HOURS_26 = 26 * 3_600_000;
/** This company changes only once, so its delivery reaches the long retry delays. */
const CALM_SYMBOL = 'MERD';
/** A worker polls once a second and may wait a few milliseconds for free slots. */
const LATE_MS_MAX = 1_100;
/** Number of idle event-loop turns after which no work can be in progress. */
const IDLE_TURNS = 8;

test(`keeps every retry on time while a worker's clock drifts and jumps ${STEPS} times by up to 26 hours (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const clock = watchedClock(NOW);
  const error = { ms: 0 };
  const store = countingDb(await memoryStore());
  const db = withClock(store.db, clock);
  const deps = engineDeps(db, clock, SEED);
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], seededRandom(1));
  const symbols = ['MERA', 'MERB', 'MERC', CALM_SYMBOL];
  await addEndpoint(db, 'ep');
  await db.transaction((tx) =>
    insertSecret(tx, cipher, { endpointId: 'ep', role: 'current', secret: 'whsec_x', now: NOW }),
  );
  await addCompanies(db, symbols);
  await subscribe(deps, 'ep', symbols);
  await fanOutAll(deps);

  // Two workers share the work. The clock of one of them jumps and drifts.
  const stepping: Clock = { ...clock, now: () => clock.now() + error.ms };
  const workers = [clock, stepping].map((workerClock) =>
    startWebhookWorker({
      ...engineDeps(db, workerClock, SEED),
      log: silentLog,
      brand: 'Service',
      cipher,
      agent: {
        post: () => Promise.resolve(respondWith(500)),
        close: () => Promise.resolve(),
      },
    }),
  );
  const attempts = new Map<string, number[]>();
  let value = 100;

  /** Lets time pass and records when each attempt happened according to the correct clock. */
  async function pass(durationMs: number): Promise<void> {
    const until = clock.now() + durationMs;
    while (clock.now() < until) {
      for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        if (store.isBusy()) idle = 0;
      }
      for (const { id, attempt_count: count } of await deliveries()) {
        const times = attempts.get(id) ?? [];
        attempts.set(id, times);
        while (times.length < count) times.push(clock.now());
      }
      const waitMs = Math.max(1, clock.nextWakeMs() ?? 1_000);
      // The clock drifts by 30 seconds per hour.
      error.ms += waitMs / 120;
      await clock.advance(Math.min(waitMs, until - clock.now()));
    }
  }

  function deliveries() {
    return store.db.query<{ id: string; attempt_count: number }>(
      'select id, attempt_count from delivery',
    );
  }

  await publish({ db, clock }, CALM_SYMBOL, { epsEstimate: '9.99' });
  await pass(3_000);
  for (let step = 0; step < STEPS; step += 1) {
    const symbol = symbols[step % 3] ?? '';
    value += 1;
    if (step % 6 < 3) await publish({ db, clock }, symbol, { epsEstimate: `${value / 100}` });
    await pass(random.int(10_000));
    error.ms = random.int(3) === 0 ? 0 : random.int(2 * HOURS_26) - HOURS_26;
    await pass(10_000 + random.int(60_000));
  }
  const stopped = workers.map((worker) => worker.stop());
  await pass(30_000);
  await Promise.all(stopped);

  const waits: number[] = [];
  for (const [id, times] of attempts) {
    for (const [n, at] of times.slice(1).entries()) {
      const waitMs = at - (times[n] ?? 0);
      const delay = ATTEMPT_DELAYS_MS[n + 1] ?? 0;
      expect(waitMs, `${id}: attempt ${n + 2} is early`).toBeGreaterThanOrEqual(delay);
      expect(waitMs, `${id}: attempt ${n + 2} is late`).toBeLessThanOrEqual(
        delay * 1.2 + LATE_MS_MAX,
      );
      waits.push(waitMs);
    }
  }
  console.log(`${waits.length} retries of ${attempts.size} deliveries`);
  expect(waits.length).toBeGreaterThan(STEPS / 2);
  // All stored instants must lie within the real time span. Due times may be up to a day ahead.
  const written = await store.db.query<{ first: number; last: number; due: number }>(
    `select least(min(d.created_at), min(a.started_at)) as first,
            greatest(max(d.created_at), max(a.started_at)) as last, max(d.due_at) as due
       from delivery d join delivery_attempt a on a.delivery_id = d.id`,
  );
  const [span] = written;
  expect(span?.first).toBeGreaterThanOrEqual(NOW);
  expect(span?.last).toBeLessThanOrEqual(clock.now() + LATE_MS_MAX);
  expect(span?.due).toBeLessThanOrEqual(clock.now() + 24 * 3_600_000 * 1.2);
  await store.db.close();
});

/** Makes the store use the given `clock`, which is always correct. */
function withClock(db: Db, clock: Clock): Db {
  return {
    ...db,
    async query<T extends Row>(sql: string, params?: Parameters<Db['query']>[1]): Promise<T[]> {
      if (sql.includes('clock_timestamp()')) return [{ now: clock.now() } as unknown as T];
      return db.query<T>(sql, params);
    },
  };
}
