import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { readServerState } from '../../src/storage/engines/postgres/server-history.ts';
import { startPatroni } from '../support/failover/patroni.ts';
import {
  type FailoverLoad,
  prepareLoad,
  startLoad,
  startReceiversFor,
} from '../support/failover/failover-load.ts';
import { FailoverLedger } from '../support/failover/failover-ledger.ts';
import { type FailoverCluster, startPair } from '../support/failover/postgres-pair.ts';
import { summarize } from '../support/roles/response-summary.ts';
import { ROLE_SYMBOLS } from '../support/roles/scripted-files.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { checkEnd, startChild } from '../support/webhook-kills.ts';

const SEED = runSeed();
const FAILOVERS = Number(process.env['AFTERBELL_FAILOVERS'] ?? 100);
const HOUR = 3_600_000;
const TIMEOUT = { timeout: 4 * HOUR };
/** Every third failover is followed by deliveries, which pause for 20 s after each. */
const DELIVERIES_EVERY = 3;
const clock = systemClock();

type Mode = 'asynchronous' | 'synchronous' | 'switchover';

// Standbys are made with pg_basebackup, which only the packages of distributions have.
test.skipIf(runSize({ slice: true, whole: false })).each<[Mode, number]>([
  ['asynchronous', FAILOVERS],
  ['synchronous', Math.ceil(FAILOVERS * 0.6)],
  ['switchover', Math.ceil(FAILOVERS * 0.2)],
])(
  `names every lost commit, and only those, at %s failovers under load, %i times (seed ${SEED})`,
  TIMEOUT,
  async (mode, count) => {
    vi.stubEnv('AFTERBELL_TEST_POSTGRES', 'machine');
    const receivers = await startReceiversFor(SEED);
    const pair = await startPair((url) => prepareLoad(url, receivers.port, SEED));
    onTestFinished(() => pair.close());
    const load = await startLoad(pair.url, receivers, SEED);
    await failOverRepeatedly({ load, pair, ledger: new FailoverLedger(load) }, { mode, count });
  },
);

test.skipIf(runSize({ slice: true, whole: false })).each<[Mode, number]>([
  ['asynchronous', Math.ceil(FAILOVERS * 0.08)],
  ['synchronous', Math.ceil(FAILOVERS * 0.08)],
  ['switchover', Math.ceil(FAILOVERS * 0.04)],
])(`does the same under Patroni: %s, %i times (seed ${SEED})`, TIMEOUT, async (mode, count) => {
  const receivers = await startReceiversFor(SEED);
  const patroni = await startPatroni({
    isSynchronous: mode === 'synchronous',
    fill: (url) => prepareLoad(url, receivers.port, SEED),
  });
  onTestFinished(() => patroni.close());
  const load = await startLoad(patroni.url, receivers, SEED);
  await failOverRepeatedly(
    { load, pair: patroni, ledger: new FailoverLedger(load) },
    { mode, count },
  );
});

interface Stage {
  load: FailoverLoad;
  pair: FailoverCluster;
  ledger: FailoverLedger;
}

async function failOverRepeatedly(
  { load, pair, ledger }: Stage,
  { mode, count }: { mode: Mode; count: number },
): Promise<void> {
  const random = seededRandom(SEED);
  const note = `${mode}, seed ${SEED}`;
  for (let n = 1; n <= count; n += 1) {
    if (mode === 'synchronous') await pair.setSynchronous(true);
    await pair.caughtUp();
    await activity(load, 5 + random.int(20));
    const failedOverMs = await failOver({ load, pair, ledger }, mode, random);
    const lost = await ledger.check(`${note}, failover ${n}`);
    if (mode !== 'asynchronous') expect(lost, note).toBe(0);
    await ledger.measure('reads', failedOverMs);
    await ledger.measure('ingestion', failedOverMs);
    await pair.rejoin();
    if (n % DELIVERIES_EVERY === 0) await ledger.measure('deliveries', failedOverMs);
    if (n % 5 === 0) process.stderr.write(`${note}: ${n} ${JSON.stringify(ledger.figures())}\n`);
  }
  await changeAll(load);
  await load.stop();
  await load.receivers.calm();
  const drain = startChild({ databaseUrl: pair.url }, load.receivers.port, {
    drains: true,
    aheadMs: 20 * HOUR,
  });
  expect(await drain.exitCode).toBe(0);
  const { deliveries } = await checkEnd(
    { databaseUrl: pair.url },
    await load.receivers.ledger(),
    ledger.acknowledged(),
    note,
  );
  const { undocumented, unexpected, ...reads } = summarize(load.responses());
  // Reads that need the database meanwhile get their own 503.
  const others = undocumented.filter(
    ({ body, retryAfter }) => retryAfter === null || !body.includes('"code":"data-unavailable"'),
  );
  expect([others, unexpected], note).toEqual([[], []]);
  const figures = { mode, seed: SEED, count, deliveries, ...ledger.figures(), reads };
  process.stderr.write(`${JSON.stringify(figures)}\n`);
}

/** Fails over, and returns the time of the promotion once the receivers expect older data. */
async function failOver(
  { load, pair, ledger }: Stage,
  mode: Mode,
  random: Random,
): Promise<number> {
  if (mode === 'asynchronous') {
    pair.cutStream();
    await clock.sleep(random.int(1_500));
  }
  if (mode === 'switchover') await pair.switchOver();
  else await pair.failOver();
  const promotedMs = clock.monotonicMs();
  if (mode === 'asynchronous') await load.receivers.allowOlderData();
  await ledger.failedOver(async () => (await readServerState(load.db)).history);
  return promotedMs;
}

/** Waits until changes were ingested. */
async function activity({ changes }: FailoverLoad, count: number): Promise<void> {
  const before = changes.length;
  await expect.poll(() => changes.length, { timeout: 120_000 }).toBeGreaterThan(before + count);
}

/** Waits until each company has changed again, so that receivers get what they lost. */
async function changeAll({ changes }: FailoverLoad): Promise<void> {
  const before = changes.length;
  const changed = () => new Set(changes.slice(before).map(({ symbol }) => symbol)).size;
  await expect.poll(changed, { timeout: 120_000 }).toBe(ROLE_SYMBOLS.length);
}
