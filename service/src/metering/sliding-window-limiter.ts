import type { Clock } from '../platform/clock.ts';

/** So many acts of each in any 60 seconds, exactly; in the memory of this process. */
export interface SlidingWindowLimiter {
  /** Takes one: 0; or takes none, and says in how many seconds, rounded up, one is free. */
  consume(caller: string): number;
}

const MINUTE_MS = 60_000;
/** Beyond so many the ones that did nothing for a minute are looked for, and forgotten. */
const CALLERS_MAX = 10_000;

export function createSlidingWindowLimiter(
  clock: Pick<Clock, 'monotonicMs'>,
  max: number,
): SlidingWindowLimiter {
  /** When each took what still counts, the oldest first; who took last is the last. */
  const timesByCaller = new Map<string, number[]>();

  function forgetIdle(nowMs: number): void {
    for (const [caller, times] of timesByCaller) {
      if ((times.at(-1) ?? 0) > nowMs - MINUTE_MS) return;
      timesByCaller.delete(caller);
    }
  }

  return {
    consume(caller) {
      const nowMs = clock.monotonicMs();
      const times = (timesByCaller.get(caller) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS);
      const [oldest = nowMs] = times;
      if (times.length >= max) return Math.ceil((oldest + MINUTE_MS - nowMs) / 1_000);
      times.push(nowMs);
      timesByCaller.delete(caller);
      timesByCaller.set(caller, times);
      if (timesByCaller.size > CALLERS_MAX) forgetIdle(nowMs);
      return 0;
    },
  };
}
