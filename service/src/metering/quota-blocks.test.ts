import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../../test/support/logs.ts';
import { playBlocks, steps } from '../../test/support/quota-block-histories.ts';
import { runSeed, runSize } from '../../test/support/run-size.ts';
import type { ReadLimits } from '../domain/plan.ts';
import type { Db } from '../storage/db.ts';
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
    `keeps all limits while processes lease blocks, crash and lose replies (seed ${runSeed()})`,
    { timeout: 1_800_000 },
    async () => {
      let run = 0;
      const total = { leases: 0, refusals: 0, early: 0 };
      const property = fc.asyncProperty(steps, async (history) => {
        run += 1;
        const exercised = await playBlocks({ db: db(), prefix: `${run}-`, history });
        total.leases += exercised.leases;
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
});

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
  const deps = { db, clock, log: silentLog, blockPercent: 6, isMinuteByClock: true };
  return { clock, first: await startSharedMeter(deps), second: await startSharedMeter(deps) };
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
