import { setImmediate } from 'node:timers/promises';

/**
 * Loads something for many items a few at a time, in order, so that no query keeps the store busy
 * for long.
 */
export async function loadInSlices<Item, Row>(
  items: readonly Item[],
  sliceSize: number,
  load: (slice: readonly Item[]) => Promise<Iterable<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < items.length; start += sliceSize) {
    for (const row of await load(items.slice(start, start + sliceSize))) rows.push(row);
  }
  return rows;
}

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
