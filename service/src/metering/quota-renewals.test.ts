import { expect, test, vi } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import {
  blocksOf,
  consume,
  consumeOne,
  countOf,
  LARGE,
  REQUESTS,
  startNodes,
} from '../../test/support/quota-block-nodes.ts';

const ADMITTED = { kind: 'admitted' };
const UNAVAILABLE = { kind: 'unavailable' };

onEachEngine((db) => {
  test('a renewal lets requests use the present block until the next one has arrived', async () => {
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

  test('a renewal changes nothing in the remaining requests that responses name', async () => {
    const { clock, first, renewals } = await startNodes(db());
    for (let count = 1; count <= 60; count += 1) {
      const [result] = await consume(first, clock, 1);
      expect(String(result?.headers)).toContain(`"minute";r=${LARGE.perMinute - count};`);
      expect(String(result?.headers)).toContain(`"day";r=${1_000 - count};`);
      await renewals.settled();
    }
    expect(renewals.calls).toBeLessThan(15);
  });

  test('a block of fewer than eight units is not renewed before it is used up', async () => {
    const { clock, first, renewals } = await startNodes(db());
    const plan = { ...LARGE, perMinute: 300 };
    await consume(first, clock, 100, 'at once', plan);
    expect(await blocksOf(db())).toMatchObject([{ units: 6 }]);
    const calls = renewals.calls;
    await consume(first, clock, 6, 'in turn', plan);
    await renewals.settled();
    expect(renewals.calls).toBe(calls);
  });

  test('a renewal leaves both blocks counted as used if the process crashes', async () => {
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

  test('a renewal that fails leaves the present block in use', async () => {
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

  test('a renewal that arrives after its block has expired admits nothing', async () => {
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

  test('a renewal that is on its way when the process stops leaves nothing counted', async () => {
    const { clock, first, renewals } = await startNodes(db());
    const reply = renewals.holdReply();
    await consume(first, clock, REQUESTS + 1);
    await reply.isCommitted;
    const stopping = first.stop();
    reply.release();
    await stopping;
    expect(await countOf(db())).toBe(REQUESTS + 1);
  });

  test('a request that a new block admits does not count if its batch fails', async () => {
    const { clock, first, renewals } = await startNodes(db());
    const reply = renewals.holdReply();
    await consume(first, clock, REQUESTS + 3);
    await reply.isCommitted;
    const waiting = consumeOne(first, clock);
    const other = consumeOne(first, clock, LARGE, 'other');
    renewals.isAway = true;
    reply.release();
    expect(await Promise.all([waiting, other])).toMatchObject([UNAVAILABLE, UNAVAILABLE]);
    await first.stop();
    expect(await countOf(db())).toBe(REQUESTS + 3);
  });
});
