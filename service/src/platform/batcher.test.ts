import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { Batcher } from './batcher.ts';

function start(options: Partial<ConstructorParameters<typeof Batcher<number, number>>[0]> = {}) {
  const clock = fakeClock(0);
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, number>({
    clock,
    maxSize: 3,
    maxWaitMs: 5,
    run(items) {
      batches.push(items);
      return Promise.resolve(items.map((item) => item * 10));
    },
    ...options,
  });
  return { clock, batches, batcher };
}

test("collects items until the first one has waited long enough, and returns each item's result", async () => {
  const { clock, batches, batcher } = start();
  const results = Promise.all([batcher.add(1), batcher.add(2)]);
  await clock.advance(4);
  expect(batches).toEqual([]);
  await clock.advance(1);
  expect(await results).toEqual([10, 20]);
  expect(batches).toEqual([[1, 2]]);
});

test('starts a batch early at the flush size and never exceeds the maximum batch size', async () => {
  const { batches, batcher } = start({ flushSize: 2 });
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item)))).toEqual([
    10, 20, 30, 40, 50, 60, 70,
  ]);
  expect(batches.map(({ length }) => length)).toEqual([2, 3, 2]);
});

test('runs one batch at a time and fills the next one while it runs', async () => {
  let isRunning = false;
  const gate = Promise.withResolvers<void>();
  const { batcher } = start({
    maxWaitMs: 0,
    async run(items) {
      expect(isRunning).toBe(false);
      isRunning = true;
      await gate.promise;
      isRunning = false;
      return items.map(() => items.length);
    },
  });
  const results = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  gate.resolve();
  expect(await Promise.all(results)).toEqual([1, 3, 3, 3, 1]);
});

test('rejects every item in a failed batch if retries are disabled', async () => {
  const failures: unknown[] = [];
  const { batcher } = start({
    maxWaitMs: 0,
    run: () => Promise.reject(new Error('down')),
    onError: ({ err }) => failures.push(err),
  });
  await expect(batcher.add(1)).rejects.toThrow('down');
  await expect(batcher.add(2)).rejects.toThrow('down');
  expect(failures).toHaveLength(1);
});

test('retries a failed batch with a doubling delay until it succeeds', async () => {
  let attempts = 0;
  const { clock, batcher } = start({
    maxWaitMs: 0,
    retry: { minMs: 100, maxMs: 1_000 },
    run(items) {
      attempts += 1;
      return attempts < 3 ? Promise.reject(new Error('down')) : Promise.resolve(items);
    },
  });
  const result = batcher.add(7);
  await clock.advance(99);
  expect(attempts).toBe(1);
  await clock.advance(1);
  expect(attempts).toBe(2);
  await clock.advance(200);
  expect(await result).toBe(7);
});

test('runs the pending items without waiting or retrying when the batcher stops', async () => {
  const { batches, batcher } = start({ retry: { minMs: 100, maxMs: 1_000 } });
  const result = batcher.add(1);
  batcher.push(2);
  await batcher.stop();
  expect(await result).toBe(10);
  expect(batches).toEqual([[1, 2]]);
});

test('rejects items that still fail when the batcher stops', async () => {
  const { batcher } = start({
    retry: { minMs: 100, maxMs: 1_000 },
    run: () => Promise.reject(new Error('down')),
  });
  const result = batcher.add(1);
  await Promise.all([expect(result).rejects.toThrow('down'), batcher.stop()]);
});

test('ends a retry delay early when the batcher stops', async () => {
  let attempts = 0;
  const { clock, batcher } = start({
    maxWaitMs: 0,
    retry: { minMs: 60_000, maxMs: 60_000 },
    run(items) {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('down')) : Promise.resolve(items);
    },
  });
  const result = batcher.add(7);
  await clock.advance(1);
  await batcher.stop();
  expect(await result).toBe(7);
});

test('rejects waiting items when a batch exceeds its timeout, and still runs one batch at a time', async () => {
  const { clock, batches, batcher } = start({ maxWaitMs: 0, timeoutMs: 100, run: hang });
  let finish: () => void = () => undefined;
  function hang(items: readonly number[]): Promise<void> {
    batches.push(items);
    return new Promise((resolve) => (finish = resolve));
  }
  const [first, second] = [batcher.add(1), batcher.add(2)].map((result) => result.catch(String));
  await clock.advance(100);
  expect(await Promise.all([first, second])).toEqual(
    Array(2).fill(expect.stringContaining('100 ms')),
  );
  await expect(batcher.add(3)).rejects.toThrow('100 ms');
  expect(batches).toEqual([[1]]);
  finish();
  await clock.advance(0);
  expect(batches).toEqual([[1], [2]]);
  const last = batcher.add(4);
  finish();
  await clock.advance(0);
  finish();
  expect(await last).toBeUndefined();
  expect(batches).toEqual([[1], [2], [4]]);
});
