import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  advanceUntil,
  blocksOf,
  consume,
  consumeSlowly,
  countOf,
  FREE,
  LARGE,
  minuteLeft,
  NOON,
  REQUESTS,
  startNodes,
} from '../../test/support/quota-block-nodes.ts';
import { playBlocks } from '../../test/support/quota-block-histories.ts';
import { steps } from '../../test/support/quota-block-steps.ts';
import { runSeed, runSize } from '../../test/support/run-size.ts';
import { loadUse } from './quota-store.ts';
import { returnBlocks } from './shared-quota-store.ts';

const HISTORIES = runSize({ slice: 25, whole: 300 });

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
      const ended = {
        customerId: 'c',
        token: block.token,
        firstAgeMs: 0,
        usedMs: [0, 0, 0, 0, 0],
        unused,
      };
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
