import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { CountWriter } from './count-writer.ts';

/** Creates a writer and a store whose writes finish only when the test lets them. */
function slowWriter() {
  const clock = fakeClock(0);
  const writes: { items: string[]; end: (error?: Error) => void }[] = [];
  const failures: unknown[] = [];
  const writer = new CountWriter<string>({
    clock,
    write: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
        writes.push({ items: [...items], end });
      }),
    onError: (error) => failures.push(error),
    timeoutMs: 4_000,
  });
  return { clock, writes, failures, writer };
}

test('combines all items added during a write into the next write', async () => {
  const { clock, writes, writer } = slowWriter();
  const first = writer.save('a');
  const others = Array.from({ length: 100 }, (_, index) => writer.save(`b${index % 2}`));
  expect(writes.map(({ items }) => items)).toEqual([['a']]);
  writes[0]?.end();
  expect(await first).toBe(true);
  await clock.advance(0);
  expect(writes.map(({ items }) => items)).toEqual([['a'], ['b0', 'b1']]);
  writes[1]?.end();
  expect(new Set(await Promise.all(others))).toEqual(new Set([true]));
});

test('fails the requests that wait for a failed write and writes their items again', async () => {
  const { clock, writes, failures, writer } = slowWriter();
  const first = writer.save('a');
  const second = writer.save('b');
  writes[0]?.end(new Error('disk full'));
  expect(await first).toBe(false);
  await clock.advance(0);
  expect(writes[1]?.items.toSorted()).toEqual(['a', 'b']);
  writes[1]?.end();
  expect(await second).toBe(true);
  expect(failures).toHaveLength(1);
});

test('retries a failed write with backoff when no request is waiting, and reports errors once a minute', async () => {
  const { clock, writes, writer, failures } = slowWriter();
  writer.saveLater('a');
  for (const [round, waitMs] of [250, 250, 500].entries()) {
    await clock.advance(waitMs - 1);
    expect(writes).toHaveLength(round);
    await clock.advance(1);
    expect(writes[round]?.items).toEqual(['a']);
    writes[round]?.end(new Error('away'));
    await clock.advance(0);
  }
  await clock.advance(1_000);
  writes[3]?.end();
  await clock.advance(10_000);
  expect([writes.length, failures.length]).toEqual([4, 1]);
});

test('fails waiting and new requests while a write hangs, and accepts new items afterwards', async () => {
  const { clock, writes, writer } = slowWriter();
  const first = writer.save('a');
  const second = writer.save('b');
  await clock.advance(4_000);
  expect(await Promise.all([first, second])).toEqual([false, false]);
  expect(await writer.save('c')).toBe(false);
  writes[0]?.end();
  await clock.advance(250);
  // All items are written again with their current values, because some of the counts in the first
  // write may have been refunded since.
  expect(writes[1]?.items.toSorted()).toEqual(['a', 'b', 'c']);
  writes[1]?.end();
  await clock.advance(0);
  const third = writer.save('c');
  writes[2]?.end();
  expect(await third).toBe(true);
});

test('writes pending items when it is stopped, including those added during a write, and then rejects new items', async () => {
  const { clock, writes, writer } = slowWriter();
  const first = writer.save('a');
  writer.saveLater('b');
  const stopped = writer.stop();
  writes[0]?.end();
  await clock.advance(0);
  expect(writes[1]?.items).toEqual(['b']);
  writes[1]?.end();
  await stopped;
  expect(await first).toBe(true);
  expect(await writer.save('c')).toBe(false);
  expect(writes).toHaveLength(2);
});

test('keeps an item that is added in the same tick in which a write ends', async () => {
  const { clock, writes, writer } = slowWriter();
  const first = writer.save('a');
  const second = first.then(() => writer.save('b'));
  writes[0]?.end();
  await clock.advance(0);
  expect(writes[1]?.items).toEqual(['b']);
  writes[1]?.end();
  expect(await second).toBe(true);
});
