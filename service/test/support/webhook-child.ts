import { createSecretCipher } from '../../src/platform/encryption.ts';
import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from './logs.ts';
import { seededRandom, systemRandom } from '../../src/platform/random.ts';
import { StoreUnavailableError } from '../../src/storage/errors.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import { systemResolver } from '../../src/delivery/send/resolver.ts';
import { template } from '../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker } from '../../src/delivery/worker/worker.ts';
import { publish } from './webhook-world.ts';

/** Options for the child process, as JSON in its first argument. */
export interface ChildOptions {
  store: { folder: string } | { databaseUrl: string };
  /** The receivers' port on the loopback address. */
  port: number;
  symbols: readonly string[];
  seed: number;
  /** Publishes changes continuously, and prints each change's symbol and count after its commit. */
  publishes: boolean;
  /** The maximum number of changes. */
  changesMax: number;
  /** Milliseconds by which the clock is set ahead, so that earlier leases and retries are due. */
  aheadMs: number;
  /** Exits when no delivery or change is left to process. */
  drains: boolean;
}

// Child process for the webhook kill tests, which runs a worker. Prints `ready` first. Stops on
// SIGTERM as the service does.
const options = JSON.parse(process.argv[2] ?? '') as ChildOptions;
const db = await openStore(options.store);
const clock = systemClock({ startAt: Date.now() + options.aheadMs });
const random = systemRandom();
const worker = startWebhookWorker({
  db,
  clock,
  random,
  log: silentLog,
  templates: [template],
  cipher: createSecretCipher([new Uint8Array(32).fill(7)], random),
  agent: createWebhookAgent({
    clock,
    resolver: systemResolver(),
    rules: { ports: [443], devAllow: devAllow([`127.0.0.1:${options.port}`]) },
  }),
  brand: 'Service',
  slots: 16,
  checksClock: false,
});
let isStopping = false;
process.on('SIGTERM', () => void end());
process.stdout.write('ready\n');
if (options.publishes) await publishAll();
if (options.drains) {
  while ((await openCount()) > 0) await clock.sleep(50);
  await end();
}

async function publishAll(): Promise<void> {
  const publishRandom = seededRandom(options.seed);
  const [row] = await db.query<{ count: string | null }>(
    `select max(revenue_estimate) as count from earnings_event where known_to is null`,
  );
  const first = Number(row?.count ?? 0) + 1;
  for (let count = first; !isStopping && count - first < options.changesMax; count += 1) {
    const symbol = options.symbols[publishRandom.int(options.symbols.length)] ?? '';
    try {
      await publish({ db, clock }, symbol, { revenueEstimate: String(count) });
    } catch (error) {
      // The database may have been killed too, in which case it is unknown whether this change was
      // stored.
      if (!(error instanceof StoreUnavailableError)) throw error;
      await clock.sleep(20);
      continue;
    }
    worker.wake();
    process.stdout.write(`${symbol} ${count}\n`);
    await clock.sleep(publishRandom.int(10));
  }
}

async function end(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await worker.stop();
  await db.close();
  process.exit(0);
}

async function openCount(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from delivery where finished_at is null)
          + (select count(*) from change_record
              where id > (select position from webhook_cursor where name = 'changes'))
          + (select count(*) from webhook_fan_out) as count`,
  );
  return row?.count ?? 0;
}
