import type { Clock } from './clock.ts';

export interface RateLimiter {
  /**
   * Resolves when the next request may start: at least the interval after the one before started.
   * Waiters go in the order in which they asked. False when `signal` aborts while waiting.
   */
  acquire(signal?: AbortSignal): Promise<boolean>;
}

/** Keeps a distance of `intervalMsMin` between starts, measured on the clock that never steps. */
export function createRateLimiter(deps: { clock: Clock; intervalMsMin: number }): RateLimiter {
  const { clock, intervalMsMin } = deps;
  let freeAtMs = Number.NEGATIVE_INFINITY;
  let line: Promise<unknown> = Promise.resolve();

  async function wait(signal?: AbortSignal): Promise<boolean> {
    // A timer may fire a fraction early; the loop asks again rather than trust it.
    for (;;) {
      if (signal?.aborted) return false;
      const waitMs = freeAtMs - clock.monotonicMs();
      if (waitMs <= 0) break;
      await clock.sleep(waitMs, signal);
    }
    freeAtMs = clock.monotonicMs() + intervalMsMin;
    return true;
  }

  return {
    acquire(signal) {
      const mine = line.then(() => wait(signal));
      line = mine;
      return mine;
    },
  };
}
