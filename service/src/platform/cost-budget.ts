import type { Clock } from './clock.ts';

/**
 * Limits repeated work to a share of the time. After work that took `t`, the budget is available
 * again when `t / share` has passed since its start, or `pauseMsMax` since its end. The latter
 * keeps one slow run from delaying the next one for minutes.
 */
export class CostBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #share: number;
  readonly #pauseMsMax: number;
  #availableAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    { share, pauseMsMax }: { share: number; pauseMsMax: number },
  ) {
    this.#clock = clock;
    this.#share = share;
    this.#pauseMsMax = pauseMsMax;
  }

  isAvailable(): boolean {
    return this.#clock.monotonicMs() >= this.#availableAtMs;
  }

  async spend<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    try {
      return await work();
    } finally {
      const endedMs = this.#clock.monotonicMs();
      const byShareMs = startedMs + (endedMs - startedMs) / this.#share;
      this.#availableAtMs = Math.min(byShareMs, endedMs + this.#pauseMsMax);
    }
  }
}
