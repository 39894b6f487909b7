import type { Clock } from './clock.ts';

/** Returns a function that calls `load` at most once per interval and otherwise repeats its result. */
export function cacheFor<T>(
  intervalMs: number,
  load: () => T,
  clock: Pick<Clock, 'monotonicMs'>,
): () => T {
  let latest: { value: T; loadedAtMs: number } | null = null;
  return () => {
    const nowMs = clock.monotonicMs();
    if (latest === null || nowMs - latest.loadedAtMs >= intervalMs) {
      latest = { value: load(), loadedAtMs: nowMs };
    }
    return latest.value;
  };
}
