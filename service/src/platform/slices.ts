import { setImmediate } from 'node:timers/promises';

/**
 * Maps items a few at a time and serves other events in between, so that a long list does not keep
 * the event loop busy.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  sliceSize: number,
  map: (slice: readonly Item[], start: number) => readonly Result[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += sliceSize) {
    if (start > 0) await setImmediate();
    for (const result of map(items.slice(start, start + sliceSize), start)) results.push(result);
  }
  return results;
}
