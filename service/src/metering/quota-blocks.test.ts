import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../../test/support/logs.ts';
import { playBlocks } from '../../test/support/quota-block-histories.ts';
import { steps } from '../../test/support/quota-block-steps.ts';
import { runSeed, runSize } from '../../test/support/run-size.ts';
import type { ReadLimits } from '../domain/plan.ts';
import type { Db, Queryable, Row, SqlValue } from '../storage/db.ts';
import type { MeterResult, RunningQuotaMeter } from './quota-meter.ts';
import { loadUse } from './quota-store.ts';
import { startSharedMeter } from './shared-quota-meter.ts';
import { returnBlocks } from './shared-quota-store.ts';

const HISTORIES = runSize({ slice: 25, whole: 300 });
const NOON = Date.parse('2026-11-20T17:00:00Z');
const LARGE: ReadLimits = {
  name: 'large',
  perMinute: 10_000,
  perDay: 1_000,
  perMonth: 10_000,
  historyMonths: null,
};
/** The fourth request leases eight units, and the tenth would renew them. */
const REQUESTS = 9;
const FREE: ReadLimits = { ...LARGE, name: 'free', perMinute: 60, perDay: 100, perMonth: 1_000 };

onEachEngine((db) => {
  test(
    `keeps all limits while processes lease and renew blocks, crash and lose replies (seed ${runSeed()})`,
    { timeout: 1_800_000 },
    async () => {
      let run = 0;
      const total = { leases: 0, renewals: 0, refusals: 0, early: 0 };
      const property = fc.asyncProperty(steps, async (history) => {
        run += 1;
        const exercised = await playBlocks({ db: db(), prefix: `${run}-`, history });
        total.leases += exercised.leases;
        total.renewals += exercised.renewals;
        total.refusals += exercised.refusals;
        total.early += exercised.early;
      });
      await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true });
      for (const count of Object.values(total)) expect(count).toBeGreaterThan(HISTORIES);
    },
  );

  describe('a block', () => {
    test('returns its unused units when it is idle, and when the process stops', async () => {
      const { clock, first, second } = await startNodes(db());
      await consume(first, clock, REQUESTS);
      expect(await blocksOf(db())).not.toEqual([]);
      expect(await countOf(db())).toBeGreaterThan(REQUESTS);
      await advanceUntil(clock, async () => (await countOf(db())) === REQUESTS);
      expect(await blocksOf(db())).toEqual([]);
      await consume(second, clock, REQUESTS);
      expect(await countOf(db())).toBeGreaterThan(2 * REQUESTS);
      await second.stop();
      expect(await countOf(db())).toBe(2 * REQUESTS);
    });

    test('returns its unused units once, and counts as used after a crash', async () => {
      const { clock, first, second } = await startNodes(db());
      await consume(first, clock, REQUESTS);
      const counted = await countOf(db());
      const [block] = await blocksOf(db());
      if (block === undefined) throw new Error('no block was leased');
      // Without a return, the block counts for as long as the day lasts.
      clock.skip(3_600_000);
      await consume(second, clock, 1);
      expect(await countOf(db())).toBe(counted + 1);
      expect(await blocksOf(db())).toEqual([]);
      // The process wakes up after its block was ended.
      const late = {
        customerId: 'c',
        token: block.token,
        firstAgeMs: 0,
        usedMs: [],
        unused: block.units,
      };
      await returnBlocks(db(), [late, late], 0);
      expect(await countOf(db())).toBe(counted + 1);
    });

    test('returns its unused units once, however often its return arrives', async () => {
      const { clock, first } = await startNodes(db());
      await consume(first, clock, REQUESTS);
      const [block] = await blocksOf(db());
      if (block === undefined) throw new Error('no block was leased');
      const unused = (await countOf(db())) - REQUESTS;
      const ended = { customerId: 'c', token: block.token, firstAgeMs: 0, usedMs: [], unused };
      for (let reply = 0; reply < 3; reply += 1) {
        await returnBlocks(db(), [ended, ended], 0);
        expect(await countOf(db())).toBe(REQUESTS);
      }
    });

    test('belongs to the New York day in which it was leased', async () => {
      const { clock, first, second } = await startNodes(db(), '2026-11-21T04:59:59Z');
      await consume(first, clock, REQUESTS);
      await consume(second, clock, REQUESTS);
      expect((await blocksOf(db())).length).toBe(2);
      clock.skip(1_000);
      const [last] = await consume(first, clock, 1);
      expect(String(last?.headers)).toContain('"day";r=999;');
      // The day that ended gets its units back, and the new day does not.
      await Promise.all([first.stop(), second.stop()]);
      expect(await loadUse(db(), 'c')).toMatchObject({ dayCount: 1, monthCount: 2 * REQUESTS + 1 });
      clock.skip(-1_000);
      const [stepped] = await consume((await startNodes(db())).first, clock, 1);
      expect(String(stepped?.headers)).toContain('"day";r=998;');
    });

    test('delays the last units of a day by seconds, and a refusal says so', async () => {
      const { clock, first, second } = await startNodes(db());
      await consume(first, clock, REQUESTS);
      const held = (await countOf(db())) - REQUESTS;
      expect(held).toBeGreaterThan(0);
      const results = await consume(second, clock, 1_000, 'at once');
      const refused = results.filter((result) => result.kind === 'refused');
      expect(refused.length).toBe(REQUESTS + held);
      expect(refused[0]?.retryAfterSeconds).toBe(6);
      await advanceUntil(clock, async () => (await blocksOf(db())).length === 0);
      const room = 1_000 - (await countOf(db()));
      const last = await consume(second, clock, room + 1);
      expect(last.map(({ kind }) => kind).indexOf('refused')).toBe(room);
      const refusal = last.at(-1);
      expect(refusal).toMatchObject({ violated: ['day'], resetAt: NOON + 12 * 3_600_000 });
    });

    test('is not leased for a small plan or for a customer with few requests', async () => {
      const { clock, first } = await startNodes(db());
      await consume(first, clock, 50, 'in turn', FREE);
      expect(await blocksOf(db())).toEqual([]);
      expect(await countOf(db())).toBe(50);
      for (let count = 0; count < 10; count += 1) {
        clock.skip(2_000);
        await consume(first, clock, 1);
      }
      expect(await blocksOf(db())).toEqual([]);
    });
  });

  describe('a renewal', () => {
    test('lets requests use the present block until the next one has arrived', async () => {
      const { clock, first, renewals } = await startNodes(db());
      const reply = renewals.holdReply();
      await consume(first, clock, REQUESTS + 1);
      await reply.isCommitted;
      expect(await blocksOf(db())).toHaveLength(2);
      const calls = renewals.calls;
      for (let left = 2; left > 0; left -= 1)
        expect(consumeOne(first, clock)).toMatchObject(ADMITTED);
      const waiting = consumeOne(first, clock);
      expect(waiting).toBeInstanceOf(Promise);
      reply.release();
      expect(await waiting).toMatchObject(ADMITTED);
      expect(renewals.calls).toBe(calls);
      await first.stop();
      expect(await countOf(db())).toBe(REQUESTS + 4);
    });

    test('leaves both blocks counted as used if the process crashes', async () => {
      const { clock, first, second, renewals } = await startNodes(db());
      const reply = renewals.holdReply();
      await consume(first, clock, REQUESTS + 1);
      await reply.isCommitted;
      const counted = await countOf(db());
      const units = (await blocksOf(db())).map((block) => block.units);
      expect(counted).toBe(4 + (units[0] ?? 0) + (units[1] ?? 0));
      const results = await consume(second, clock, 1_000, 'at once');
      const admitted = results.filter(({ kind }) => kind === 'admitted').length;
      expect(admitted).toBe(1_000 - counted);
      clock.skip(3_600_000);
      const [last] = await consume(second, clock, 1);
      expect(last).toMatchObject({ kind: 'refused', violated: ['day'] });
      await second.stop();
      expect(await countOf(db())).toBe(1_000);
    });

    test('that fails leaves the present block in use', async () => {
      const { clock, first, renewals } = await startNodes(db());
      renewals.isFailing = true;
      await consume(first, clock, REQUESTS + 1);
      await vi.waitFor(() => expect(renewals.failures).toBe(1));
      for (let left = 2; left > 0; left -= 1)
        expect(consumeOne(first, clock)).toMatchObject(ADMITTED);
      expect(renewals.failures).toBe(1);
      await clock.advance(1_000);
      const [next] = await consume(first, clock, 1);
      expect(next).toMatchObject(ADMITTED);
      await first.stop();
      expect(await countOf(db())).toBe(REQUESTS + 4);
    });

    test('that arrives after its block has expired admits nothing', async () => {
      const { clock, first, renewals } = await startNodes(db());
      const reply = renewals.holdReply();
      await consume(first, clock, REQUESTS + 1);
      await reply.isCommitted;
      clock.skip(5_000);
      const next = consumeOne(first, clock);
      reply.release();
      expect(await next).toMatchObject(ADMITTED);
      // The store has decided, with another lease.
      expect(renewals.calls).toBe(6);
      await first.stop();
      expect(await countOf(db())).toBe(REQUESTS + 2);
    });
  });

  describe('an ended block', () => {
    test('lets its requests leave the minute at their own times', async () => {
      const { clock, first, second } = await startNodes(db());
      await consumeSlowly(first, clock);
      await advanceUntil(clock, async () => (await blocksOf(db())).length === 0);
      clock.skip(60_450 - (clock.now() - NOON));
      expect(await minuteLeft(second, clock)).toBe(LARGE.perMinute - 5);
      clock.skip(200);
      expect(await minuteLeft(second, clock)).toBe(LARGE.perMinute - 4);
      clock.skip(200);
      expect(await minuteLeft(second, clock)).toBe(LARGE.perMinute - 3);
      // Returns what is left of ended blocks.
      expect(await db().query('select token from quota_block')).toEqual([]);
    });

    test('does not count under a lower limit, and neither does a block that ends later', async () => {
      const { clock, first, second } = await startNodes(db());
      await consumeSlowly(first, clock);
      await first.stop();
      await consume(second, clock, REQUESTS);
      const lower = { ...LARGE, perMinute: 5_000 };
      expect(await minuteLeft(first, clock, lower)).toBe(4_999);
      await second.stop();
      expect(await minuteLeft(first, clock, lower)).toBe(4_998);
      clock.skip(60_450 - (clock.now() - NOON));
      expect(await minuteLeft(first, clock, lower)).toBe(4_997);
    });

    test('moves back in time with the clock of the server', async () => {
      const { clock, first, second } = await startNodes(db());
      await consume(first, clock, REQUESTS);
      await first.stop();
      await db().query(
        'update quota_block set base_ms = base_ms + 3600000, expires_ms = expires_ms + 3600000',
      );
      await consume(second, clock, 1);
      clock.skip(59_999);
      expect(await minuteLeft(second, clock)).toBe(LARGE.perMinute - REQUESTS - 2);
      clock.skip(1);
      expect(await minuteLeft(second, clock)).toBe(LARGE.perMinute - 2);
    });
  });
});

const ADMITTED = { kind: 'admitted' };

/** A clock whose processes can be suspended: `skip` moves the time without firing timers. */
type SkippingClock = FakeClock & { skip(ms: number): void };

async function startNodes(db: Db, startAt = new Date(NOON).toISOString()) {
  let skippedMs = 0;
  const fake = fakeClock(Date.parse(startAt));
  const clock: SkippingClock = {
    ...fake,
    now: () => fake.now() + skippedMs,
    monotonicMs: () => fake.monotonicMs() + skippedMs,
    skip: (ms) => void (skippedMs += ms),
  };
  const renewals = new Renewals(db);
  const deps = { db, clock, log: silentLog, blockPercent: 6, isMinuteByClock: true };
  const first = await startSharedMeter({ ...deps, db: renewals });
  return { clock, first, second: await startSharedMeter(deps), renewals };
}

/** A connection of which the renewals can fail, or get their reply late. */
class Renewals implements Queryable {
  readonly #db: Queryable;
  #reply: {
    isCommitted: PromiseWithResolvers<void>;
    isReleased: PromiseWithResolvers<void>;
  } | null = null;
  isFailing = false;
  failures = 0;
  /** Number of calls that count requests or lease blocks. */
  calls = 0;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Holds back the reply to the next renewal, which the store commits. */
  holdReply(): { isCommitted: Promise<void>; release(): void } {
    const isCommitted = Promise.withResolvers<void>();
    const isReleased = Promise.withResolvers<void>();
    this.#reply = { isCommitted, isReleased };
    return { isCommitted: isCommitted.promise, release: () => isReleased.resolve() };
  }

  async query<T extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<T[]> {
    if (!sql.includes('take_quota')) return this.#db.query<T>(sql, params);
    this.calls += 1;
    const [call] = JSON.parse(String(params[0])) as { units: number }[];
    if (call?.units !== 0) return this.#db.query<T>(sql, params);
    if (this.isFailing) {
      this.failures += 1;
      throw new Error('away');
    }
    const rows = await this.#db.query<T>(sql, params);
    this.#reply?.isCommitted.resolve();
    await this.#reply?.isReleased.promise;
    return rows;
  }
}

function consumeOne(meter: RunningQuotaMeter, clock: FakeClock, plan = LARGE) {
  return meter.consume({ customerId: 'c', plan, cost: 'all', now: clock.now() });
}

/** Sends a request every 100 ms. */
async function consumeSlowly(meter: RunningQuotaMeter, clock: FakeClock): Promise<void> {
  for (let count = 0; count < REQUESTS; count += 1) {
    await consume(meter, clock, 1);
    await clock.advance(100);
  }
}

/** Sends a request and returns the requests that are left in the minute. */
async function minuteLeft(meter: RunningQuotaMeter, clock: FakeClock, plan = LARGE) {
  const [result] = await consume(meter, clock, 1, 'in turn', plan);
  return Number(/"minute";r=(\d+)/.exec(String(result?.headers))?.[1]);
}

async function consume(
  meter: RunningQuotaMeter,
  clock: FakeClock,
  count: number,
  order: 'in turn' | 'at once' = 'in turn',
  plan = LARGE,
): Promise<Exclude<MeterResult, { kind: 'unavailable' }>[]> {
  const results: Promise<MeterResult>[] = [];
  for (let index = 0; index < count; index += 1) {
    const request = { customerId: 'c', plan, cost: 'all', now: clock.now() } as const;
    const result = Promise.resolve(meter.consume(request));
    if (order === 'in turn') await result;
    results.push(result);
  }
  const settled = await Promise.all(results);
  return settled.filter((result) => result.kind !== 'unavailable');
}

/** Advances the clock until the sweep of idle blocks has been written. */
async function advanceUntil(clock: FakeClock, isDone: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advance(1_000);
      if (!(await isDone())) throw new Error('the blocks were not returned');
    },
    { timeout: 30_000 },
  );
}

async function countOf(db: Db): Promise<number> {
  return (await loadUse(db, 'c'))?.dayCount ?? 0;
}

function blocksOf(db: Db): Promise<{ token: string; units: number }[]> {
  // Returns the blocks that processes use.
  return db.query('select token, quota_units as units from quota_block where used_ms is null');
}
