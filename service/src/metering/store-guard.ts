import type { Plan } from '../domain/plan.ts';
import type { Moment, UseReading } from '../domain/quota-window-use.ts';
import type { Clock } from '../platform/clock.ts';

/** Interval of the probes after a failure, one request each. */
const PROBE_INTERVAL_MS = 1_000;

/** A circuit breaker: requests do not queue for a store that does not respond. */
export class StoreBreaker {
  readonly #clock: Clock;
  readonly #onOpen: (error: unknown) => void;
  /** When to probe again; null while the store responds. */
  #probeAtMs: number | null = null;

  constructor(deps: { clock: Clock; onOpen(error: unknown): void }) {
    this.#clock = deps.clock;
    this.#onOpen = deps.onOpen;
  }

  /** True if the store responds, or for the one request that probes it. */
  allowsRequest(): boolean {
    if (this.#probeAtMs === null) return true;
    if (this.#clock.monotonicMs() < this.#probeAtMs) return false;
    this.#probeAtMs = this.#clock.monotonicMs() + PROBE_INTERVAL_MS;
    return true;
  }

  /** Null if the request fails or takes longer than `timeoutMs`. `onLate` receives a late result. */
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
    if (this.#probeAtMs === null) this.#onOpen(error);
    this.#probeAtMs = this.#clock.monotonicMs() + PROBE_INTERVAL_MS;
  }
}

const CUSTOMERS_MAX = 10_000;

/**
 * Remembers refused customers for `ttlMs`, so that a client in a tight loop costs one query per
 * `ttlMs`. The time is short even if a window is full for hours: refunds and an operator's reset in
 * another process take effect within it.
 */
export class RefusalCache {
  readonly #ttlMs: number;
  readonly #refusals = new Map<string, { reading: UseReading; plan: Plan; moment: Moment }>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** The counts of a customer refused recently under the same plan; otherwise null. */
  get(customerId: string, plan: Plan, moment: Moment): UseReading | null {
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

  /** `moment` precedes the query, so the minute is never remembered for too long. */
  set(customerId: string, reading: UseReading, plan: Plan, moment: Moment): void {
    if (this.#refusals.size >= CUSTOMERS_MAX) this.#refusals.clear();
    this.#refusals.set(customerId, { reading, plan, moment });
  }

  delete(customerId: string): void {
    this.#refusals.delete(customerId);
  }
}

function isSameQuota(a: Plan, b: Plan): boolean {
  if (a === b) return true;
  return a.perMinute === b.perMinute && a.perDay === b.perDay && a.perMonth === b.perMonth;
}
