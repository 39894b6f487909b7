import { expect, test } from 'vitest';
import { loadInSlices, mapInSlices } from './slices.ts';

test('maps all items in order, and serves other events between slices', async () => {
  const order: string[] = [];
  const mapped = mapInSlices([1, 2, 3, 4, 5], 2, (slice, start) => {
    order.push(`slice ${start}`);
    setImmediate(() => order.push('event'));
    return slice.map((item) => item * 10);
  });
  expect(await mapped).toEqual([10, 20, 30, 40, 50]);
  expect(order.slice(0, 5)).toEqual(['slice 0', 'event', 'slice 2', 'event', 'slice 4']);
  expect(await mapInSlices([], 2, () => [1])).toEqual([]);
});

test('loads all items in order, a few at a time', async () => {
  const slices: (readonly number[])[] = [];
  const rows = await loadInSlices([1, 2, 3, 4, 5], 2, async (slice) => {
    slices.push(slice);
    return slice.flatMap((item) => [item, item * 10]);
  });
  expect(slices).toEqual([[1, 2], [3, 4], [5]]);
  expect(rows).toEqual([1, 10, 2, 20, 3, 30, 4, 40, 5, 50]);
});
