import { expect, test } from 'vitest';
import { PRO as PRO_PLAN, SCARCE as FREE } from '../../test/support/quota-plans.ts';
import { manualClock } from '../../test/support/quota-histories.ts';
import { onEachEngine } from '../../test/support/each-engine.ts';
import type { ReadLimits } from '../domain/plan.ts';
import { quotaPeriodOf } from '../domain/quota-window.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog, silentLog } from '../../test/support/logs.ts';
import type { Queryable } from '../storage/db.ts';
import { startLocalMeter } from './local-quota-meter.ts';
import type { Admitted, QuotaMeter, MeterResult } from './quota-meter.ts';
import { loadUse, resetFutureUses } from './quota-store.ts';

/** Two requests use up the minute. */
const PRO: ReadLimits = { ...PRO_PLAN, perMinute: 2 };
const NOON = Date.parse('2026-11-20T17:00:00Z');
const DAY_MS = 86_400_000;

/** Creates a store that fails on demand. */
function failingStore() {
  const store = { isAway: false, writes: 0 };
  const db: Queryable = {
    query: (sql) => {
      if (sql.includes('insert')) store.writes += 1;
      return store.isAway ? Promise.reject(new Error('away')) : Promise.resolve([]);
    },
  };
  return { store, db };
}

function consumeAll(
  meter: QuotaMeter,
  customerId: string,
  plan: ReadLimits,
  now: number,
): Promise<MeterResult> {
  return Promise.resolve(meter.consume({ customerId, plan, cost: 'all', now }));
}

async function admitted(pending: Promise<MeterResult>): Promise<Admitted> {
  const result = await pending;
  if (result.kind !== 'admitted') throw new Error(`it was ${result.kind}`);
  return result;
}

test('decides synchronously for plans without quotas and for requests that cost only the minute', async () => {
  const { db, store } = failingStore();
  const clock = manualClock(NOON);
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  expect(meter.consume({ customerId: 'p', plan: PRO, cost: 'all', now: NOON })).toMatchObject({
    kind: 'admitted',
  });
  expect(meter.consume({ customerId: 'f', plan: FREE, cost: 'minute', now: NOON })).toMatchObject({
    kind: 'admitted',
  });
  expect(store.writes).toBe(0);
});

test('never shares counts between customers with the same plan', async () => {
  const { db } = failingStore();
  const meter = await startLocalMeter({ db, clock: manualClock(NOON), log: silentLog });
  for (const customerId of ['a', 'b']) {
    for (let count = 0; count < 3; count += 1) {
      await admitted(consumeAll(meter, customerId, FREE, NOON));
    }
    expect(await consumeAll(meter, customerId, FREE, NOON)).toMatchObject({ kind: 'refused' });
  }
});

test('reverts the counts in all windows when a count cannot be stored, and refuses the request', async () => {
  const { db, store } = failingStore();
  const clock = fakeClock(NOON);
  const log = memoryLog();
  const meter = await startLocalMeter({ db, clock, log });
  store.isAway = true;
  for (let count = 0; count < 100; count += 1) {
    const result = await consumeAll(meter, 'f', FREE, NOON);
    expect(result).toEqual({ kind: 'unavailable', retryAfterSeconds: 5 });
  }
  expect(log.entries.some(({ level }) => level === 'error')).toBe(true);
  store.isAway = false;
  const { headers } = await admitted(consumeAll(meter, 'f', FREE, NOON));
  expect(headers[3]).toMatch(/^"minute";r=59;t=60, "day";r=2;t=\d+, "month";r=4;t=\d+$/);
  await meter.stop();
});

test('keeps serving plans without quotas while the store is unavailable', async () => {
  const { db, store } = failingStore();
  const clock = fakeClock(NOON);
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  store.isAway = true;
  const kinds = [];
  for (let count = 0; count < 3; count += 1) {
    kinds.push((await consumeAll(meter, 'p', PRO, NOON)).kind);
  }
  expect(kinds).toEqual(['admitted', 'admitted', 'refused']);
  await meter.stop();
});

test('ignores refunds for a past day and for a count that has been reset since', async () => {
  const { db } = failingStore();
  const clock = manualClock(NOON);
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  const old = await admitted(consumeAll(meter, 'f', FREE, clock.now()));
  clock.advance(DAY_MS);
  await admitted(consumeAll(meter, 'f', FREE, clock.now()));
  await old.refund();
  const { headers } = await admitted(consumeAll(meter, 'f', FREE, clock.now()));
  expect(headers[3]).toMatch(/"day";r=1;t=\d+, "month";r=3;/);
  const smaller = { ...FREE, perDay: 2, perMonth: 4 };
  const beforeLowering = await admitted(consumeAll(meter, 'f', FREE, clock.now()));
  await admitted(consumeAll(meter, 'f', smaller, clock.now()));
  await beforeLowering.refund();
  const { headers: afterRefund } = await admitted(consumeAll(meter, 'f', smaller, clock.now()));
  expect(afterRefund[3]).toMatch(/"day";r=0;t=\d+, "month";r=2;/);
});

test("keeps a customer's count when the limit rises and resets it when the limit falls", async () => {
  const { db } = failingStore();
  const clock = manualClock(NOON);
  const meter = await startLocalMeter({ db, clock, log: silentLog });
  for (let count = 0; count < 3; count += 1) await admitted(consumeAll(meter, 'f', FREE, NOON));
  expect((await consumeAll(meter, 'f', FREE, NOON)).kind).toBe('refused');
  const raisedPlan = { ...FREE, perDay: 4 };
  const raised = await admitted(consumeAll(meter, 'f', raisedPlan, NOON));
  expect(raised.headers[3]).toContain('"day";r=0;');
  const lowered = await admitted(consumeAll(meter, 'f', FREE, NOON));
  expect(lowered.headers[3]).toMatch(/"day";r=2;t=\d+, "month";r=0;/);
});

test('warns once about a wall clock that is far ahead, and never about small corrections', async () => {
  const { db } = failingStore();
  const clock = manualClock(NOON);
  const log = memoryLog();
  const meter = await startLocalMeter({ db, clock, log });
  await consumeAll(meter, 'p', PRO, clock.now());
  clock.stepWall(47 * 3_600_000);
  await consumeAll(meter, 'p', PRO, clock.now());
  clock.advance(9 * DAY_MS);
  await consumeAll(meter, 'p', PRO, clock.now());
  expect(log.entries).toEqual([]);
  clock.stepWall(49 * 3_600_000);
  await consumeAll(meter, 'p', PRO, clock.now());
  await consumeAll(meter, 'p', PRO, clock.now());
  expect(log.entries).toMatchObject([{ level: 'warn', fields: { aheadHours: 49 } }]);
});

test('logs a failed write of the minute window on stop and still stops', async () => {
  const { db, store } = failingStore();
  const log = memoryLog();
  const meter = await startLocalMeter({ db, clock: manualClock(NOON), log });
  await admitted(consumeAll(meter, 'p', PRO, NOON));
  store.isAway = true;
  await meter.stop();
  expect(log.entries).toMatchObject([{ level: 'error' }]);
});

onEachEngine((db) => {
  test('continues with the day and month counts of the previous run', async () => {
    const clock = manualClock(NOON);
    const first = await startLocalMeter({ db: db(), clock, log: silentLog });
    for (let count = 0; count < 3; count += 1) {
      await admitted(consumeAll(first, 'f', FREE, clock.now()));
    }
    // The first meter is not stopped, as after a crash.
    const second = await startLocalMeter({ db: db(), clock, log: silentLog });
    expect(await consumeAll(second, 'f', FREE, clock.now())).toMatchObject({ violated: ['day'] });
    clock.advance(DAY_MS);
    await admitted(consumeAll(second, 'f', FREE, clock.now()));
    await admitted(consumeAll(second, 'f', FREE, clock.now()));
    expect(await consumeAll(second, 'f', FREE, clock.now())).toMatchObject({ violated: ['month'] });
    expect(await loadUse(db(), 'f')).toMatchObject({ dayCount: 2, monthCount: 5 });
    expect(await loadUse(db(), 'nobody')).toBeNull();
  });

  test('continues the minute window after a clean restart, accurate to the millisecond', async () => {
    const clock = fakeClock(NOON);
    const pro = { ...PRO, perMinute: 300 };
    const first = await startLocalMeter({ db: db(), clock, log: silentLog });
    for (let count = 0; count < 300; count += 1) {
      if (count === 100) await clock.advance(20_000);
      await admitted(consumeAll(first, 'p', pro, clock.now()));
    }
    await first.stop();
    await clock.advance(10_000);
    const second = await startLocalMeter({ db: db(), clock, log: silentLog });
    expect(await consumeAll(second, 'p', pro, clock.now())).toMatchObject({ violated: ['minute'] });
    await clock.advance(29_999);
    expect((await consumeAll(second, 'p', pro, clock.now())).kind).toBe('refused');
    await clock.advance(1);
    const { headers } = await admitted(consumeAll(second, 'p', pro, clock.now()));
    expect(headers[3]).toContain('"minute";r=99;t=20');
    // The second meter took the stored minute window when it started and was never stopped, so this
    // is not a clean restart.
    const third = await startLocalMeter({ db: db(), clock, log: silentLog });
    expect((await consumeAll(third, 'p', pro, clock.now())).kind).toBe('admitted');
  });

  test('locks customers out for at most a minute if the wall clock was set back during a restart', async () => {
    const clock = manualClock(NOON);
    const first = await startLocalMeter({ db: db(), clock, log: silentLog });
    for (let count = 0; count < 2; count += 1) {
      await admitted(consumeAll(first, 'p', PRO, clock.now()));
    }
    await first.stop();
    clock.stepWall(-3 * 3_600_000);
    const second = await startLocalMeter({ db: db(), clock, log: silentLog });
    expect(await consumeAll(second, 'p', PRO, clock.now())).toMatchObject({
      retryAfterSeconds: 60,
    });
    clock.advance(60_000);
    await admitted(consumeAll(second, 'p', PRO, clock.now()));
    await second.stop();
  });

  test('writes refunds before the meter stops', async () => {
    const clock = manualClock(NOON);
    const meter = await startLocalMeter({ db: db(), clock, log: silentLog });
    const { headers, refund, refundedHeaders } = await admitted(consumeAll(meter, 'f', FREE, NOON));
    expect(headers[3]).toContain('"minute";r=59;t=60, "day";r=2;');
    await refund();
    await refund();
    expect(refundedHeaders?.()[3]).toMatch(/^"minute";r=59;t=60, "day";r=3;t=\d+, "month";r=5;/);
    await meter.stop();
    expect(await loadUse(db(), 'f')).toMatchObject({ dayCount: 0, monthCount: 0 });
  });

  test('lets an operator reset quota counts after the clock was far ahead', async () => {
    const clock = manualClock(NOON + 70 * DAY_MS);
    const aheadMeter = await startLocalMeter({ db: db(), clock, log: silentLog });
    for (let count = 0; count < 3; count += 1) {
      await admitted(consumeAll(aheadMeter, 'f', FREE, clock.now()));
    }
    await aheadMeter.stop();
    clock.stepWall(-70 * DAY_MS);
    const log = memoryLog();
    const meter = await startLocalMeter({ db: db(), clock, log });
    expect(log.entries).toMatchObject([{ level: 'warn', fields: { customers: 1 } }]);
    expect((await consumeAll(meter, 'f', FREE, NOON)).kind).toBe('refused');
    expect(await resetFutureUses(db(), quotaPeriodOf(NOON))).toBe(1);
    await meter.refresh();
    const { headers } = await admitted(consumeAll(meter, 'f', FREE, NOON));
    expect(headers[3]).toMatch(/"day";r=2;t=43200, "month";r=4;/);
    expect(await resetFutureUses(db(), quotaPeriodOf(NOON))).toBe(0);
    expect(await loadUse(db(), 'f')).toMatchObject({ dayCount: 1, monthCount: 1 });
  });
});
