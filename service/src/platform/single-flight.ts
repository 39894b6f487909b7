/**
 * Returns a function whose concurrent callers share one run of `work` (single flight). A caller may
 * get a result from a run that began before its call, so use this for views and not for decisions.
 */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
}
