import type { Clock } from './clock.ts';

export interface RateLimiter {
  /**
   * Resolves to true when the next request may start. Requests start in the order of the calls,
   * each at least the interval after the previous one. Resolves to false if `signal` aborts during
   * the wait.
   */
  acquire(signal?: AbortSignal): Promise<boolean>;
}

/**
 * Creates a limiter that keeps starts at least `intervalMsMin` apart, measured on the monotonic
 * clock.
 */
export function createRateLimiter(deps: { clock: Clock; intervalMsMin: number }): RateLimiter {
  const { clock, intervalMsMin } = deps;
  let availableAtMs = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();

  async function wait(signal?: AbortSignal): Promise<boolean> {
    // A timer may fire slightly early, so the loop checks the clock again.
    for (;;) {
      if (signal?.aborted) return false;
      const waitMs = availableAtMs - clock.monotonicMs();
      if (waitMs <= 0) break;
      await clock.sleep(waitMs, signal);
    }
    availableAtMs = clock.monotonicMs() + intervalMsMin;
    return true;
  }

  return {
    acquire(signal) {
      const turn = queue.then(() => wait(signal));
      queue = turn;
      return turn;
    },
  };
}
