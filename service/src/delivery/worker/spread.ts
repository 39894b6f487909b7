/** So many begin in one turn of the event loop. */
const A_TURN = 8;

/**
 * Begins each of many in order, a few in each turn of the event loop, so that answers are heard in
 * between. A claim's hundreds of POSTs begun at once took twenty milliseconds, in which the store had
 * answered long ago and nobody gave it its next statement: embedded, which has one connection, a
 * quarter fewer deliveries a second.
 */
export async function spread<T>(items: readonly T[], begin: (item: T) => void): Promise<void> {
  for (let first = 0; first < items.length; first += A_TURN) {
    if (first > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const item of items.slice(first, first + A_TURN)) begin(item);
  }
}
