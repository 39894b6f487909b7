import type { ReadLimits } from '../domain/plan.ts';
import type { Clock } from '../platform/clock.ts';

const MINUTE_MS = 60_000;
/** Above this number of customers, those that have recovered all their time are forgotten. */
const CUSTOMERS_MAX = 10_000;

/** The computing time of a plan is used up. */
interface ComputeWait {
  /** Milliseconds of computing time per minute. */
  limitMs: number;
  /** Time until the next computation is allowed. */
  waitMs: number;
}

interface Use {
  usedMs: number;
  atMs: number;
  limitMs: number;
}

/**
 * Limits the time that this process computes responses for a customer. The time is known only after
 * the computation, so a customer may exceed the limit by what runs at once, and then waits until the
 * excess has drained: a minute drains the time of the plan.
 */
export class ComputeBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #uses = new Map<string, Use>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Returns null if the customer may compute a response. */
  check(
    customerId: string,
    { computeMsPerMinute: limitMs = null }: Pick<ReadLimits, 'computeMsPerMinute'>,
  ): ComputeWait | null {
    if (limitMs === null) return null;
    const use = this.#uses.get(customerId);
    if (use === undefined) {
      this.#add(customerId, limitMs);
      return null;
    }
    // A new plan applies from the next request on.
    this.#drain(use);
    use.limitMs = limitMs;
    const excessMs = use.usedMs - limitMs;
    if (excessMs < 0) return null;
    return { limitMs, waitMs: Math.max(1, (excessMs * MINUTE_MS) / limitMs) };
  }

  /** Charges the running time of a computation to a customer. */
  charge(customerId: string, ms: number): void {
    const use = this.#uses.get(customerId);
    if (use === undefined) return;
    this.#drain(use);
    use.usedMs += ms;
  }

  #add(customerId: string, limitMs: number): void {
    if (this.#uses.size >= CUSTOMERS_MAX) this.#forgetRecovered();
    this.#uses.set(customerId, { usedMs: 0, atMs: this.#clock.monotonicMs(), limitMs });
  }

  #drain(use: Use): void {
    const nowMs = this.#clock.monotonicMs();
    const drainedMs = ((nowMs - use.atMs) * use.limitMs) / MINUTE_MS;
    use.usedMs = Math.max(0, use.usedMs - drainedMs);
    use.atMs = nowMs;
  }

  #forgetRecovered(): void {
    for (const [customerId, use] of this.#uses) {
      this.#drain(use);
      if (use.usedMs === 0) this.#uses.delete(customerId);
    }
  }
}
