import { afterAll, expect, test } from 'vitest';
import { PRO as PRO_PLAN, SCARCE } from '../../test/support/quota-plans.ts';
import { manualClock } from '../../test/support/quota-histories.ts';
import { postgresStore } from '../../test/support/stores.ts';
import type { ReadLimits } from '../domain/plan.ts';
import { quotaPeriodOf } from '../domain/quota-window.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog, silentLog } from '../../test/support/logs.ts';
import { LoopHealth } from '../platform/loop-health.ts';
import type { Db, Queryable, Row } from '../storage/db.ts';
import { openStore } from '../storage/open-store.ts';
import type { QuotaMeter, MeterResult } from './quota-meter.ts';
import { loadUse, resetFutureUses } from './quota-store.ts';
import { startSharedMeter } from './shared-quota-meter.ts';

const FREE: ReadLimits = { ...SCARCE, perMinute: 9 };
/** Two requests use up the minute. */
const PRO: ReadLimits = { ...PRO_PLAN, perMinute: 2 };
const NOON = Date.parse('2026-11-20T17:00:00Z');
const log = silentLog;

// The clocks in these tests do not advance by themselves, so requests do not time out on a slow
// machine.

const server = await postgresStore();
const missingReason = 'missing' in server ? server.missing : '';
const openStores: Db[] = [];
afterAll(async () => {
  for (const db of openStores) await db.close();
  if ('db' in server) await server.db.close();
});

const isMissing = missingReason !== '';

async function openAnother(): Promise<Db> {
  if ('missing' in server) throw new Error(missingReason);
  const db = await openStore({ databaseUrl: server.url });
  openStores.push(db);
  return db;
}

function consumeAll(
  meter: QuotaMeter,
  customerId: string,
  plan: ReadLimits,
  now: number,
): Promise<MeterResult> {
  return Promise.resolve(meter.consume({ customerId, plan, cost: 'all', now }));
}

test.skipIf(isMissing)(
  `admits exactly as many requests as the limit allows when processes race ${missingReason}`,
  async () => {
    const plan: ReadLimits = { ...FREE, perMinute: 40, perDay: 50, perMonth: 60 };
    const meters = [];
    for (let node = 0; node < 3; node += 1) {
      meters.push(
        await startSharedMeter({ db: await openAnother(), clock: manualClock(NOON), log }),
      );
    }
    const takes = meters.flatMap((meter) =>
      Array.from({ length: 60 }, (_, index) => consumeAll(meter, `race-${index % 2}`, plan, NOON)),
    );
    const result = await Promise.all(takes);
    expect(result.filter(({ kind }) => kind === 'admitted')).toHaveLength(80);
    expect(result.filter(({ kind }) => kind === 'refused')).toHaveLength(100);
    expect(await loadUse(await openAnother(), 'race-0')).toMatchObject({
      dayCount: 40,
      monthCount: 40,
    });
  },
);

test.skipIf(isMissing)(
  'never deadlocks when processes count the same customers in different orders',
  async () => {
    const plan: ReadLimits = { ...FREE, perMinute: 10_000, perDay: 10_000, perMonth: 10_000 };
    const customers = Array.from({ length: 30 }, (_, index) => `order-${index}`);
    const meters = [
      await startSharedMeter({ db: await openAnother(), clock: manualClock(NOON), log }),
      await startSharedMeter({ db: await openAnother(), clock: manualClock(NOON), log }),
    ];
    const rounds = Array.from({ length: 10 }, () =>
      meters.flatMap((meter, node) =>
        (node === 0 ? customers : customers.toReversed()).map((id) =>
          consumeAll(meter, id, plan, NOON),
        ),
      ),
    );
    const kinds = (await Promise.all(rounds.flat())).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['admitted']));
    expect(await loadUse(await openAnother(), 'order-7')).toMatchObject({ dayCount: 20 });
  },
);

test.skipIf(isMissing)(
  'enforces the minute limit across processes by the server clock, even if that clock steps back',
  async () => {
    const [first, two] = [
      await startSharedMeter({ db: await openAnother(), clock: manualClock(NOON), log }),
      await startSharedMeter({ db: await openAnother(), clock: manualClock(NOON), log }),
    ];
    expect((await consumeAll(first, 'minute', PRO, NOON)).kind).toBe('admitted');
    expect((await consumeAll(two, 'minute', PRO, NOON)).kind).toBe('admitted');
    expect(await consumeAll(first, 'minute', PRO, NOON)).toMatchObject({ violated: ['minute'] });
    // Simulates a server clock that was an hour ahead.
    const db = await openAnother();
    await db.query(
      "update quota_minute set base_ms = base_ms + 3600000 where customer_id = 'minute'",
    );
    const [third] = [await startSharedMeter({ db, clock: manualClock(NOON), log })];
    const result = await consumeAll(third, 'minute', PRO, NOON);
    expect(result).toMatchObject({ kind: 'refused', violated: ['minute'] });
    if (result.kind === 'refused') expect(result.retryAfterSeconds).toBeLessThanOrEqual(60);
    // The stored times are no longer ahead of the server clock, so the minute window will open.
    const [row] = await db.query<{ ahead: boolean }>(
      `select base_ms + admitted_ms[2] > extract(epoch from clock_timestamp()) * 1000 as ahead
     from quota_minute where customer_id = 'minute'`,
    );
    expect(row).toEqual({ ahead: false });
  },
);

test.skipIf(isMissing)(
  'resets quota counts for future days and months in all processes',
  async () => {
    const db = await openAnother();
    const clock = manualClock(NOON);
    const meter = await startSharedMeter({
      db,
      clock,
      log,
      refusalTtlMs: 0,
    });
    const later = NOON + 70 * 86_400_000;
    for (let count = 0; count < 3; count += 1) await consumeAll(meter, 'ahead', FREE, later);
    expect(await consumeAll(meter, 'ahead', FREE, NOON)).toMatchObject({ violated: ['day'] });
    expect(await resetFutureUses(db, quotaPeriodOf(NOON))).toBe(1);
    expect((await consumeAll(meter, 'ahead', FREE, NOON)).kind).toBe('admitted');
    const start = memoryLog();
    await consumeAll(meter, 'ahead', FREE, later);
    await startSharedMeter({ db, clock, log: start });
    expect(start.entries).toMatchObject([{ level: 'warn', fields: { customers: 1 } }]);
  },
);

/** Creates a store that gives every request the same decision, and can delay it or withhold it. */
function scriptedStore() {
  const script = {
    asked: 0,
    refunds: 0,
    delay: null as null | Promise<void>,
    refundDelay: null as null | Promise<void>,
    isAway: false,
    row: { ...ADMITTED },
  };
  const db: Queryable = {
    async query<T extends Row>(sql: string, params: readonly unknown[] = []): Promise<T[]> {
      if (sql.includes('refund_quota')) {
        script.refunds += 1;
        await script.refundDelay;
      }
      if (!sql.includes('take_quota')) return [];
      script.asked += 1;
      const { row } = script;
      if (script.isAway) throw new Error('away');
      await script.delay;
      const requests = JSON.parse(String(params[0])) as object[];
      return requests.map((_, index) => ({ index, ...row }) as unknown as T);
    },
  };
  return { script, db };
}

const ADMITTED = {
  admitted: 1,
  leased: 0,
  held_ms: 0,
  minute_used: 1,
  minute_free_ms: 6e4,
  day_id: 20777,
  day_used: 1,
  month_id: 24322,
  month_used: 1,
  generation: 0,
};
const REFUSED = { ...ADMITTED, admitted: 0, minute_used: 9, minute_free_ms: 400, day_used: 3 };

test('queries the store once a second for a customer who keeps sending requests after a refusal', async () => {
  const { db, script } = scriptedStore();
  const clock = manualClock(NOON);
  const meter = await startSharedMeter({ db, clock, log });
  script.row = { ...REFUSED, minute_used: 1 };
  const first = await consumeAll(meter, 'f', FREE, NOON);
  for (let count = 0; count < 1_000; count += 1) {
    const again = await consumeAll(meter, 'f', FREE, NOON);
    if (count === 0) expect(again).toEqual(first);
  }
  expect(script.asked).toBe(1);
  // The minute window is not full, so a request that costs only the minute is admitted.
  script.row = ADMITTED;
  const minute = meter.consume({ customerId: 'f', plan: FREE, cost: 'minute', now: NOON });
  expect((await minute).kind).toBe('admitted');
  script.row = REFUSED;
  await consumeAll(meter, 'f', FREE, clock.now());
  clock.advance(1_000);
  await consumeAll(meter, 'f', FREE, clock.now());
  expect(script.asked).toBe(4);
});

test('forgets a cached refusal when its minute window opens or the plan changes', async () => {
  const { db, script } = scriptedStore();
  const clock = manualClock(NOON);
  const meter = await startSharedMeter({ db, clock, log });
  script.row = { ...REFUSED, day_used: 1 };
  await consumeAll(meter, 'f', FREE, clock.now());
  clock.advance(399);
  expect(await consumeAll(meter, 'f', FREE, clock.now())).toMatchObject({ retryAfterSeconds: 1 });
  expect(script.asked).toBe(1);
  clock.advance(1);
  await consumeAll(meter, 'f', FREE, clock.now());
  expect(script.asked).toBe(2);
  await consumeAll(meter, 'f', { ...FREE, perMinute: 10 }, clock.now());
  expect(script.asked).toBe(3);
});

test('waits for a pending refund, so that the count matches the one in the earlier response', async () => {
  const { db, script } = scriptedStore();
  const meter = await startSharedMeter({ db, clock: manualClock(NOON), log });
  const [first, second] = [
    await consumeAll(meter, 'f', FREE, NOON),
    await consumeAll(meter, 'f', FREE, NOON),
  ];
  const [firstRefund, secondRefund] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  script.refundDelay = firstRefund.promise;
  if (first.kind === 'admitted') void first.refund();
  script.refundDelay = secondRefund.promise;
  if (second.kind === 'admitted') void second.refund();
  const next = consumeAll(meter, 'f', FREE, NOON);
  expect((await consumeAll(meter, 'g', FREE, NOON)).kind).toBe('admitted');
  secondRefund.resolve();
  await consumeAll(meter, 'g', FREE, NOON);
  expect(script.asked).toBe(4);
  firstRefund.resolve();
  expect((await next).kind).toBe('admitted');
  expect([script.asked, script.refunds]).toEqual([5, 2]);
});

test('reports metering as failing while requests fail, and as recovered once there are none', async () => {
  const { db, script } = scriptedStore();
  const clock = fakeClock(NOON);
  const loops = new LoopHealth(clock);
  const health = loops.add('count requests', 'requested');
  const meter = await startSharedMeter({ db, clock, log, health });
  const isReady = () => loops.areRequiredHealthy();
  await consumeAll(meter, 'f', FREE, NOON);
  await clock.advance(120_000);
  expect(isReady()).toBe(true);
  script.isAway = true;
  for (let seconds = 0; seconds < 30; seconds += 1) {
    await consumeAll(meter, 'f', FREE, clock.now());
    await clock.advance(1_000);
  }
  expect([isReady(), loops.states()[0]?.lastError]).toEqual([false, 'away']);
  await clock.advance(30_000);
  expect(isReady()).toBe(true);
  script.isAway = false;
  await consumeAll(meter, 'f', FREE, clock.now());
  expect(loops.states()[0]).toMatchObject({ failingSince: null, lastError: null });
});

test('refuses requests for plans with quotas while the store is unavailable, and limits other plans per process', async () => {
  const { db, script } = scriptedStore();
  const clock = fakeClock(NOON);
  const startLog = memoryLog();
  const meter = await startSharedMeter({ db, clock, log: startLog });
  expect((await consumeAll(meter, 'p', PRO, NOON)).kind).toBe('admitted');
  script.isAway = true;
  const kinds = [];
  for (let count = 0; count < 3; count += 1) {
    expect(await consumeAll(meter, 'f', FREE, NOON)).toEqual({
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
    kinds.push((await consumeAll(meter, 'p', PRO, NOON)).kind);
  }
  // The store admitted one request before it failed.
  expect(kinds).toEqual(['admitted', 'refused', 'refused']);
  expect(startLog.entries).toHaveLength(1);
  expect(script.asked).toBe(2);
  await clock.advance(1_000);
  script.isAway = false;
  expect((await consumeAll(meter, 'f', FREE, NOON)).kind).toBe('admitted');
});

test('does not wait for a store that hangs, and refunds requests that the store counts too late', async () => {
  const { db, script } = scriptedStore();
  const clock = fakeClock(NOON);
  const meter = await startSharedMeter({ db, clock, log });
  const wait = Promise.withResolvers<void>();
  script.delay = wait.promise;
  const quota = consumeAll(meter, 'f', FREE, NOON);
  const unlimited = consumeAll(meter, 'p', PRO, NOON);
  await clock.advance(500);
  expect((await unlimited).kind).toBe('admitted');
  await clock.advance(3_500);
  expect((await quota).kind).toBe('unavailable');
  expect(script.refunds).toBe(0);
  wait.resolve();
  await clock.advance(0);
  // Only the refused request is refunded. The request for the plan without a quota was served, so
  // its late count is kept.
  expect(script.refunds).toBe(1);
});
