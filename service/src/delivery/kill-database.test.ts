import { expect, onTestFinished, test } from 'vitest';
import {
  killablePostgres,
  type KillablePostgres,
  type KillKind,
} from '../../test/support/killable-postgres.ts';
import {
  checkEnd,
  killChild,
  type KillChild,
  PAST_LEASE_MS,
  prepareStore,
  readChanges,
  SECRET,
  startChild,
} from '../../test/support/webhook-kills.ts';
import { type LedgerProcess, startLedger } from '../../test/support/webhook-ledger.ts';
import { systemClock } from '../platform/clock.ts';
import { type Random, seededRandom } from '../platform/random.ts';

const KILLS = Number(process.env['AFTERBELL_KILLS'] ?? 6);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_122);
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 240_000 + KILLS * 90_000 };
const clock = systemClock();

type KillTarget = 'worker' | 'database' | 'both';

test(
  `loses no changes when the worker, the database or both are killed with kill -9 at any moment (seed ${SEED})`,
  TIMEOUT,
  async ({ skip }) => {
    const server = await killablePostgres().catch((error: unknown) => String(error));
    if (typeof server === 'string') {
      if ((process.env['CI'] ?? '') !== '') throw new Error(server);
      return skip(server);
    }
    onTestFinished(() => server.close());
    const receivers = await startLedger({ secret: SECRET, seed: SEED });
    onTestFinished(receivers.stop);
    await killAndDrain(server, receivers);
  },
);

async function killAndDrain(server: KillablePostgres, receivers: LedgerProcess): Promise<void> {
  const store = { databaseUrl: server.url };
  const { port } = receivers;
  await prepareStore(store, port, SEED);
  const random = seededRandom(SEED);
  const acknowledged = new Map<string, number>();
  const counts: Record<KillTarget | KillKind, number> = {
    worker: 0,
    database: 0,
    both: 0,
    kill: 0,
    immediate: 0,
  };
  let aheadMs = 0;
  let worker = startChild(store, port, { publishes: true, seed: SEED });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await waitForActivity(worker, receivers, 20 + random.int(100), acknowledged);
    const target = drawTarget(kill, random);
    const killKind = random.int(2) === 0 ? 'kill' : 'immediate';
    counts[target] += 1;
    if (target !== 'worker') {
      counts[killKind] += 1;
      await server.kill(killKind);
    }
    if (target !== 'database') await killChild(worker, acknowledged);
    if (target !== 'worker') await restart(server, random);
    if (KILLS > 6 && kill % 25 === 0) process.stderr.write(`${kill} kills\n`);
    if (target === 'database') continue;
    // Moves the clock past the lease, so that the next worker may claim the killed worker's
    // deliveries.
    aheadMs += PAST_LEASE_MS;
    worker = startChild(store, port, { publishes: true, seed: SEED + kill, aheadMs });
  }
  await waitForActivity(worker, receivers, 20, acknowledged);
  await killChild(worker, acknowledged);
  await receivers.calm();
  // The clock is ahead, so that all earlier leases have expired and all retries are due.
  const last = startChild(store, port, { drains: true, aheadMs: aheadMs + 20 * HOUR });
  expect(await last.exitCode).toBe(0);
  const ledger = await receivers.ledger();
  const { deliveries } = await checkEnd(store, ledger, acknowledged, `seed ${SEED}`);
  if (KILLS > 6) {
    process.stderr.write(
      `${JSON.stringify({ seed: SEED, ...counts, deliveries, posts: ledger.posts })}\n`,
    );
  }
}

/** Chooses which of the three targets to kill. */
function drawTarget(kill: number, random: Random): KillTarget {
  const targets: KillTarget[] = ['worker', 'database', 'both'];
  return kill <= targets.length
    ? (targets[kill - 1] ?? 'both')
    : (targets[random.int(3)] ?? 'both');
}

/**
 * Waits for stored changes and at least one POST, so that both the worker and the database are busy
 * when the next kill happens.
 */
async function waitForActivity(
  worker: KillChild,
  receivers: LedgerProcess,
  changes: number,
  acknowledged: Map<string, number>,
): Promise<void> {
  const before = await receivers.posts();
  expect(await readChanges(worker, changes, acknowledged), 'changes stored').toBe(changes);
  while ((await receivers.posts()) === before) {
    expect(worker.process.exitCode, 'the worker ended by itself').toBe(null);
    await clock.sleep(20);
  }
}

/** Restarts the database. Sometimes kills it once more during recovery. */
async function restart(server: KillablePostgres, random: Random): Promise<void> {
  if (random.int(6) === 0) {
    await server.start({ waitsUntilReady: false });
    await clock.sleep(random.int(200));
    await server.kill('kill');
  }
  await server.start();
}
