import type { Clock } from './clock.ts';

export interface RateLimiter {
  /**
   * Resolves to true when the next request may start. Requests start in the order of the calls,
   * each at least the interval after the previous one and within the budget. Resolves to false if
   * `signal` aborts during the wait.
   */
  acquire(signal?: AbortSignal): Promise<boolean>;
  /** Returns the time until a request may start that uses only a part of the budget. */
  budgetWaitMs(use: BudgetUse): number;
  /** Returns the newest starts that count, ascending, on the monotonic clock. */
  startsMs(): readonly number[];
  /**
   * Counts starts of an earlier process, and keeps the interval from a start that it may have made
   * just before it ended. Call it before the first request.
   */
  restore(startsMs: readonly number[]): void;
}

/** Maximum number of requests in any window of this length. */
export interface RequestBudget {
  requests: number;
  windowMs: number;
}

export interface BudgetUse {
  /** Share of the budget, above 0 and up to 1, that all requests in the window may fill. */
  share: number;
  /** Spreads requests evenly over the window instead of sending them as fast as allowed. */
  isSpread: boolean;
}

/**
 * Creates a limiter that keeps starts at least `intervalMsMin` apart and within the budget of a
 * sliding window, measured on the monotonic clock.
 */
export function createRateLimiter(deps: {
  clock: Clock;
  intervalMsMin: number;
  budget?: RequestBudget | undefined;
}): RateLimiter {
  const { clock, intervalMsMin, budget } = deps;
  const startsMs: number[] = [];
  let firstMs = Number.NEGATIVE_INFINITY;
  let queue: Promise<unknown> = Promise.resolve();

  function budgetWaitMs({ share, isSpread }: BudgetUse): number {
    if (budget === undefined) return 0;
    const requests = Math.max(1, Math.floor(budget.requests * share));
    const blockingMs = startsMs.at(-requests);
    const windowEndMs = blockingMs === undefined ? 0 : blockingMs + budget.windowMs;
    const lastMs = startsMs.at(-1);
    const turnMs = isSpread && lastMs !== undefined ? lastMs + budget.windowMs / requests : 0;
    return Math.max(0, Math.max(windowEndMs, turnMs) - clock.monotonicMs());
  }

  async function wait(signal?: AbortSignal): Promise<boolean> {
    // A timer may fire slightly early, so the loop checks the clock again.
    for (;;) {
      if (signal?.aborted) return false;
      const lastMs = startsMs.at(-1);
      const earliestMs = Math.max(firstMs, (lastMs ?? Number.NEGATIVE_INFINITY) + intervalMsMin);
      const intervalWaitMs = earliestMs - clock.monotonicMs();
      const waitMs = Math.max(intervalWaitMs, budgetWaitMs({ share: 1, isSpread: false }));
      if (waitMs <= 0) break;
      await clock.sleep(waitMs, signal);
    }
    startsMs.push(clock.monotonicMs());
    if (startsMs.length > (budget?.requests ?? 1)) startsMs.shift();
    return true;
  }

  return {
    budgetWaitMs,
    startsMs: () => startsMs,
    restore(earlierMs) {
      const all = [...earlierMs, ...startsMs].toSorted((a, b) => a - b);
      startsMs.splice(0, startsMs.length, ...all.slice(-(budget?.requests ?? 1)));
      firstMs = clock.monotonicMs() + intervalMsMin;
    },
    acquire(signal) {
      const turn = queue.then(() => wait(signal));
      queue = turn;
      return turn;
    },
  };
}
