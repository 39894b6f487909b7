import { BLOCK_HOLD_MS } from './shared-quota-store.ts';

const CUSTOMERS_MAX = 10_000;

/** Counts the requests of each customer, in windows of the time for which a block may be used. */
export class QuotaDemand {
  readonly #windows = new Map<string, { sinceMs: number; requests: number; previous: number }>();

  add(customerId: string, nowMs: number): void {
    let window = this.#windows.get(customerId);
    if (window === undefined) {
      if (this.#windows.size >= CUSTOMERS_MAX) this.#windows.clear();
      this.#windows.set(customerId, (window = { sinceMs: nowMs, requests: 0, previous: 0 }));
    }
    const ageMs = nowMs - window.sinceMs;
    if (ageMs >= BLOCK_HOLD_MS) {
      window.previous = ageMs < 2 * BLOCK_HOLD_MS ? window.requests : 0;
      window.requests = 0;
      window.sinceMs = nowMs;
    }
    window.requests += 1;
  }

  /** Returns the requests of the present or the previous window, whichever had more. */
  of(customerId: string): number {
    const window = this.#windows.get(customerId);
    return window === undefined ? 0 : Math.max(window.requests, window.previous);
  }
}
