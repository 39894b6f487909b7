import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { insertSecret } from '../../src/webhooks/secret/secret-store.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom, systemRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../src/delivery/send/resolver.ts';
import { template } from '../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker, type WebhookWorker } from '../../src/delivery/worker/worker.ts';
import { loadEarningsOfSecurities } from '../../src/datasets/earnings/store.ts';
import { memoryLog } from './logs.ts';
import { addCompanies, addEndpoint, engineDeps, publish, subscribe } from './webhook-world.ts';

/**
 * Runs the restore drill on a store with companies, endpoints subscribed to them, and a continuous
 * load.
 */

const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'];
const PATHS = ['ep1', 'ep2', 'ep3'];
export const DRILL_SECRET = 'whsec_of-the-restore-drill';
const cipher = createSecretCipher([new Uint8Array(32).fill(9)], seededRandom(9));
const clock = systemClock();

export async function fillDrillStore(db: Db, port: number): Promise<void> {
  await addCompanies(db, SYMBOLS);
  for (const path of PATHS) {
    await addEndpoint(db, path, { url: `http://127.0.0.1:${port}/${path}` });
    const secret = { endpointId: path, role: 'current' as const, secret: DRILL_SECRET };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
    await subscribe(engineDeps(db, clock), path, SYMBOLS);
  }
}

/** Starts a worker. Its clock may be ahead, so that retries are due immediately. */
export function startDrillWorker(db: Db, port: number, aheadMs = 0): WebhookWorker {
  const workerClock = systemClock({ startAt: clock.now() + aheadMs });
  return startWebhookWorker({
    db,
    clock: workerClock,
    random: systemRandom(),
    log: memoryLog(),
    templates: [template],
    cipher,
    agent: createWebhookAgent({
      clock: workerClock,
      resolver: systemResolver(),
      rules: {
        ports: [443],
        devAllow: devAllow([`127.0.0.1:${port}`]),
      },
    }),
    brand: 'Service',
    slots: 8,
    checksClock: false,
  });
}

/** Makes changes and reads continuously until stopped. */
export interface DrillLoad {
  /** The newest acknowledged count for each symbol. */
  acknowledged: ReadonlyMap<string, number>;
  reads(): number;
  stop(): Promise<void>;
}

export function startDrillLoad(db: Db, worker: WebhookWorker, seed: number): DrillLoad {
  const random = seededRandom(seed);
  const acknowledged = new Map<string, number>();
  let isStopping = false;
  let reads = 0;

  async function change(): Promise<void> {
    for (let count = 1; !isStopping; count += 1) {
      const symbol = SYMBOLS[random.int(SYMBOLS.length)] ?? '';
      await publish({ db, clock }, symbol, { revenueEstimate: String(count) });
      acknowledged.set(symbol, count);
      worker.wake();
      await clock.sleep(random.int(8));
    }
  }
  async function read(): Promise<void> {
    while (!isStopping) {
      await newestCounts(db);
      reads += 1;
      await clock.sleep(2);
    }
  }
  const running = Promise.all([change(), read(), read()]);
  return {
    acknowledged,
    reads: () => reads,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}

/** Loads the stored count for each symbol. */
export async function newestCounts(db: Db): Promise<Map<string, number>> {
  const events = await loadEarningsOfSecurities(
    db,
    SYMBOLS.map((symbol) => `sec_${symbol}`),
  );
  return new Map(events.map(({ symbol, revenueEstimate }) => [symbol, Number(revenueEstimate)]));
}

/** Resolves when all changes have been fanned out and all deliveries are finished. */
export async function untilDrained(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ count: number }>(
      `select (select count(*) from delivery where finished_at is null)
            + (select count(*) from change_record
                where id > (select position from webhook_cursor where name = 'changes'))
            + (select count(*) from webhook_fan_out) as count`,
    );
    if (row?.count === 0) return;
    await clock.sleep(50);
  }
}

export const DRILL_KEYS: readonly { path: string; symbol: string }[] = PATHS.flatMap((path) =>
  SYMBOLS.map((symbol) => ({ path, symbol })),
);
