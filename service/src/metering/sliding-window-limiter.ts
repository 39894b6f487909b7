import type { Clock } from '../platform/clock.ts';

/**
 * Limits each caller to an exact number of actions in any 60 seconds. Counts are kept in the memory
 * of this process.
 */
export interface SlidingWindowLimiter {
  /**
   * Counts one action and returns 0. If the limit is reached, returns the number of seconds to
   * wait, rounded up, and does not count the action.
   */
  consume(caller: string): number;
}

const MINUTE_MS = 60_000;
/**
 * Maximum number of callers before idle callers are removed. A caller is idle after a minute
 * without actions.
 */
const CALLERS_MAX = 10_000;

export function createSlidingWindowLimiter(
  clock: Pick<Clock, 'monotonicMs'>,
  max: number,
): SlidingWindowLimiter {
  /**
   * Times of each caller's actions in the last minute, oldest first. The most recently active
   * caller is last.
   */
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
