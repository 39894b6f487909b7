import { expect, onTestFinished, test } from 'vitest';
import { createCustomer } from '../../src/accounts/customers/customers.ts';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { provider as files } from '../../src/providers/files/index.ts';
import type { Db } from '../../src/storage/db.ts';
import { isStoreTrouble } from '../../src/storage/errors.ts';
import { expireLeases } from '../../src/delivery/record/expire-leases.ts';
import { openInlineStore } from '../simulator/world/inline-store.ts';
import { FaultyDb, type StoreFault, type StoreFaults } from '../simulator/world/faulty-db.ts';
import { accountWorld, TESTER } from '../support/account-world.ts';
import { earningsFile, firstFiles } from '../support/roles/scripted-files.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { silentLog } from '../support/logs.ts';
import {
  addEndpoint,
  respondWith,
  deliverAll,
  deliveryRows,
  engineDeps,
  subscribe,
} from '../support/webhook-world.ts';

const FAULTS = ['statement-refused', 'store-away', 'commit-lost', 'commit-unknown'] as const;
/**
 * Number of statements skipped between two faults of the same kind. The first position is random.
 */
const STRIDE = runSize({ slice: 12, whole: 1 });
const SEED = runSeed();
const NOW = Date.parse('2026-11-19T17:00:00Z');
const SYMBOL = 'AAA';
const PLAN = { name: 'p', perMinute: 1e6, perDay: null, perMonth: 1e6, historyMonths: null };
const CUSTOMER = 'cus_metered';
const PAST_LEASE_MS = 61_000;
const ROUNDS_MAX = 20;

test(
  `does each piece of work exactly once even if every statement and commit in a scenario fails once (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const world = await openScenario();
    const first = seededRandom(SEED).int(STRIDE);
    const counts: Partial<Record<StoreFault, number>> = {};
    for (const fault of FAULTS) {
      for (let statementIndex = first; ; statementIndex += STRIDE) {
        world.faults.plan(fault, statementIndex);
        await world.run(`${fault} at ${statementIndex}`);
        const hasOccurred = world.faults.occurred.splice(0).length > 0;
        world.faults.clear();
        if (!hasOccurred) break;
        counts[fault] = (counts[fault] ?? 0) + 1;
      }
      expect(counts[fault], fault).toBeGreaterThan(2);
    }
    process.stderr.write(`${JSON.stringify({ seed: SEED, ...counts })}\n`);
  },
);

/** Opens parts of the service on one store whose statements fail as planned. */
async function openScenario(): Promise<{ faults: StoreFaults; run(note: string): Promise<void> }> {
  const store = await openInlineStore();
  onTestFinished(() => store.close());
  const clock = fakeClock(NOW);
  const db = new FaultyDb(store, {
    isAlive: () => true,
    whenThawed: () => Promise.resolve(),
    kill: () => undefined,
    now: () => clock.now(),
  });
  const { faults } = db;
  const ingest = createIngest({ db, clock, providers: [files], onCommit: () => undefined });
  for (const response of firstFiles(clock.now())) await ingest(response);
  const engine = engineDeps(db, clock);
  await addEndpoint(store, 'ep1');
  await subscribe(engine, 'ep1', [SYMBOL]);
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  const accounts = { ...accountWorld(db), clock };
  /** Bodies that the receiver acknowledged, by id, and the latest of them. */
  const receipts = new Map<string, string>();
  let lastBody = '';
  let admitted = 0;
  let unavailable = 0;
  let count = 1;

  /**
   * Ingests a change, repeatedly if necessary. After a failure, the store must contain either the
   * old or the new value.
   */
  async function change(note: string): Promise<void> {
    const before = count;
    const recordsBefore = await recordCount(store);
    count += 1;
    await clock.advance(1_000);
    const response = earningsFile(SYMBOL, count, clock.now());
    await untilDone(async () => {
      const isDone = await succeeds(() => ingest(response));
      const estimates = await loadEstimates(store);
      if (isDone) expect(estimates, note).toEqual([String(count)]);
      else expect([[String(before)], [String(count)]], note).toContainEqual(estimates);
      return isDone;
    });
    expect(await recordCount(store), `${note}: one change record`).toBe(recordsBefore + 1);
  }

  async function deliver(note: string): Promise<void> {
    await untilDone(async () => {
      const isDone = await succeeds(async () => {
        await expireLeases(engine);
        await deliverAll(engine, ({ id, body }) => {
          expect(receipts.get(id) ?? body, `${note}: the same id has the same body`).toBe(body);
          receipts.set(id, body);
          lastBody = body;
          return respondWith(204);
        });
      });
      const rows = await deliveryRows(store);
      const falsely = rows.filter(({ id, state }) => state === 'delivered' && !receipts.has(id));
      expect(falsely, `${note}: delivered without a receipt`).toEqual([]);
      const unfinished = rows.filter(({ state }) => !['delivered', 'superseded'].includes(state));
      if (isDone && unfinished.length === 0) return true;
      await clock.advance(PAST_LEASE_MS);
      return false;
    });
    expect(lastBody, `${note}: the newest value was sent`).toContain(String(count));
  }

  async function addCustomer(note: string): Promise<void> {
    const name = `Customer ${count}`;
    const customerCount = async (): Promise<number> =>
      (await store.query('select id from customer where name = $1', [name])).length;
    await untilDone(async () => {
      const isDone = await succeeds(() => createCustomer(accounts, { name, plan: 'free' }, TESTER));
      if (isDone) expect(await customerCount(), note).toBe(1);
      else expect([0, 1], note).toContain(await customerCount());
      return isDone;
    });
  }

  async function consumeQuota(note: string): Promise<void> {
    const request = { customerId: CUSTOMER, plan: PLAN, cost: 'all' as const, now: clock.now() };
    const decision = await meter.consume(request);
    if (decision.kind === 'admitted') admitted += 1;
    else unavailable += 1;
    const rows = await store.query<{ month_count: number }>(
      'select month_count from quota_use where customer_id = $1',
      [CUSTOMER],
    );
    const monthCount = rows[0]?.month_count ?? 0;
    expect(monthCount, `${note}: every admission is counted`).toBeGreaterThanOrEqual(admitted);
    expect(
      monthCount,
      `${note}: at most the admitted and unanswered requests are counted`,
    ).toBeLessThanOrEqual(admitted + unavailable);
  }

  return {
    faults,
    async run(note) {
      expect(newYorkDate(clock.now()).slice(0, 7), 'the scenario stays within one month').toBe(
        '2026-11',
      );
      await change(note);
      await deliver(note);
      await addCustomer(note);
      await consumeQuota(note);
      await consumeQuota(note);
    },
  };
}

/** Runs the call. Returns false if a store fault made it fail. */
async function succeeds(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (isStoreTrouble(error)) return false;
    throw error;
  }
}

async function untilDone(round: () => Promise<boolean>): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) if (await round()) return;
  throw new Error(`not finished in ${ROUNDS_MAX} rounds`);
}

async function recordCount(store: Db): Promise<number> {
  // Returns one row. Scans the whole table.
  const [row] = await store.query<{ count: number }>('select count(*) from change_record');
  return row?.count ?? 0;
}

/** Returns the current estimates of the report. A consistent store has exactly one. */
async function loadEstimates(store: Db): Promise<string[]> {
  // Returns at most one row. Scans a table of a few dozen rows.
  const rows = await store.query<{ count: string }>(
    `select e.revenue_estimate as count from earnings_event e
      where e.known_to is null and e.symbol = $1`,
    [SYMBOL],
  );
  return rows.map(({ count }) => count);
}
