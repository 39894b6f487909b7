import { expect, test } from 'vitest';
import { startInTurns } from './sender.ts';

test('starts deliveries in order, a few per turn of the event loop', async () => {
  const started: number[] = [];
  const counts: number[] = [];
  const watch = (): void => {
    counts.push(started.length);
    if (started.length < 16) setImmediate(watch);
  };
  setImmediate(watch);
  await startInTurns(
    Array.from({ length: 20 }, (_, i) => i),
    (item) => started.push(item),
  );
  expect(started).toEqual(Array.from({ length: 20 }, (_, i) => i));
  // The event loop ran other work after 8 and after 16 items.
  expect(counts).toEqual([8, 16]);
});
