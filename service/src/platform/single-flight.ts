/**
 * The same function, which whoever calls it while it runs shares: many at once cost as much as one.
 * What began before a call may be what it gets, so that it is for views and not for decisions.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
}
