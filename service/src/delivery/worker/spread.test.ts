import { expect, test } from 'vitest';
import { spread } from './spread.ts';

test('all begin in order, a few in each turn of the event loop', async () => {
  const begun: number[] = [];
  const turns: number[] = [];
  const watch = (): void => {
    turns.push(begun.length);
    if (begun.length < 16) setImmediate(watch);
  };
  setImmediate(watch);
  await spread(
    Array.from({ length: 20 }, (_, i) => i),
    (item) => begun.push(item),
  );
  expect(begun).toEqual(Array.from({ length: 20 }, (_, i) => i));
  // What waited for its turn had one before the last of them began.
  expect(turns).toEqual([8, 16]);
});
