import type { ReadLimits } from '../domain/plan.ts';
import { isSameQuota, type Moment, type UseReading } from '../domain/quota-window-use.ts';
import type { Clock } from '../platform/clock.ts';
import type { LoopReporter } from '../platform/loop-health.ts';

/** Interval between probes after a failure. Each probe is a single request. */
const PROBE_INTERVAL_MS = 1_000;

/** A circuit breaker that keeps requests from queueing for a store that does not respond. */
export class StoreBreaker {
  readonly #clock: Clock;
  readonly #health: LoopReporter | undefined;
  readonly #onOpen: (error: unknown) => void;
  /** Time of the next probe. Null while the store responds. */
  #probeAtMs: number | null = null;

  constructor(deps: {
    clock: Clock;
    health?: LoopReporter | undefined;
    onOpen(error: unknown): void;
  }) {
    this.#clock = deps.clock;
    this.#health = deps.health;
    this.#onOpen = deps.onOpen;
  }

  /**
   * Returns true if the store responds. While it does not, returns true only for the one request
   * per interval that probes the store.
   */
  allowsRequest(): boolean {
    if (this.#probeAtMs === null) return true;
    if (this.#clock.monotonicMs() < this.#probeAtMs) return false;
    this.#probeAtMs = this.#clock.monotonicMs() + PROBE_INTERVAL_MS;
    return true;
  }

  /**
   * Runs a request. Resolves to null if the request fails or takes longer than `timeoutMs`.
   * `onLate` receives a late result.
   */
  run<T>(
    request: () => Promise<T>,
    timeoutMs: number,
    onLate: (result: T) => void,
  ): Promise<T | null> {
    return new Promise((resolve) => {
      let isTimedOut = false;
      const timer = this.#clock.setTimer(timeoutMs, () => {
        isTimedOut = true;
        this.#fail(new Error(`the store did not respond within ${timeoutMs} ms`));
        resolve(null);
      });
      request().then(
        (result) => {
          timer.cancel();
          this.#probeAtMs = null;
          this.#health?.succeeded();
          if (isTimedOut) onLate(result);
          else resolve(result);
        },
        (error: unknown) => {
          timer.cancel();
          this.#fail(error);
          resolve(null);
        },
      );
    });
  }

  #fail(error: unknown): void {
    this.#health?.failed(error);
    if (this.#probeAtMs === null) this.#onOpen(error);
    this.#probeAtMs = this.#clock.monotonicMs() + PROBE_INTERVAL_MS;
  }
}

const CUSTOMERS_MAX = 10_000;

/**
 * Remembers refused customers for `ttlMs`, so that a client that retries in a tight loop causes
 * only one query per `ttlMs`. The time is short even if a window stays full for hours, because
 * refunds and resets by an operator in another process must take effect soon.
 */
export class RefusalCache {
  readonly #ttlMs: number;
  readonly #refusals = new Map<string, { reading: UseReading; plan: ReadLimits; moment: Moment }>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /**
   * Returns the counts for a customer that was refused recently under the same plan, otherwise
   * null.
   */
  get(customerId: string, plan: ReadLimits, moment: Moment): UseReading | null {
    const refusal = this.#refusals.get(customerId);
    if (refusal === undefined) return null;
    const { reading } = refusal;
    const ageMs = moment.monotonicMs - refusal.moment.monotonicMs;
    const isSameMinute = reading.minuteUsed === 0 || ageMs < reading.minuteFreeMs;
    const isSameDay = refusal.moment.period.dayId === moment.period.dayId;
    if (ageMs < this.#ttlMs && isSameMinute && isSameDay && isSameQuota(refusal.plan, plan)) {
      return { ...reading, minuteFreeMs: Math.max(0, reading.minuteFreeMs - ageMs) };
    }
    this.#refusals.delete(customerId);
    return null;
  }

  /**
   * Remembers a refusal. `moment` must be a time before the query, so that the refusal is never
   * kept for too long.
   */
  set(customerId: string, reading: UseReading, plan: ReadLimits, moment: Moment): void {
    if (this.#refusals.size >= CUSTOMERS_MAX) this.#refusals.clear();
    this.#refusals.set(customerId, { reading, plan, moment });
  }

  delete(customerId: string): void {
    this.#refusals.delete(customerId);
  }
}
