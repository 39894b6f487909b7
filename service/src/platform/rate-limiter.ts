import type { Clock } from './clock.ts';

export interface RateLimiter {
  /**
   * Resolves when the next request may start, at least the interval after the previous start, in
   * the order of the calls. Resolves to false when `signal` aborts during the wait.
   */
  acquire(signal?: AbortSignal): Promise<boolean>;
}

/** Spaces starts by at least `intervalMsMin`, on the monotonic clock. */
export function createRateLimiter(deps: { clock: Clock; intervalMsMin: number }): RateLimiter {
  const { clock, intervalMsMin } = deps;
  let availableAtMs = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();

  async function wait(signal?: AbortSignal): Promise<boolean> {
    // A timer may fire a fraction early, so the loop checks the clock again.
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
