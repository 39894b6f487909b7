import type { ReadLimits } from '../domain/plan.ts';
import { quotaPeriodOf } from '../domain/quota-window.ts';
import type { Instant } from '../platform/instant.ts';

/** Above this number of customers, those that were last counted on another day are forgotten. */
const CUSTOMERS_MAX = 10_000;
/** More than some pages of the dashboard need that are open all day. */
const PER_DAY_MIN = 2_000;
/** Multiple of the plan's day. */
const DAYS = 10;

interface Use {
  dayId: number;
  count: number;
}

/**
 * Limits the responses that are computed for the people of a customer per New York day, in this
 * process, so that a session cannot avoid the quotas of a plan. Pages of the dashboard repeat their
 * requests while they are open, so the limit is far above the plan's day. Plans without quotas have
 * none.
 */
export class DayAllowance {
  readonly #uses = new Map<string, Use>();

  /** Counts a response. Returns null if it is allowed, otherwise the limit and its end. */
  consume(
    customerId: string,
    { perDay, perMonth }: Pick<ReadLimits, 'perDay' | 'perMonth'>,
    now: Instant,
  ): { limit: number; resetAt: Instant } | null {
    if (perDay === null && perMonth === null) return null;
    const limit = Math.max(PER_DAY_MIN, DAYS * (perDay ?? 0));
    const { dayId, dayEndsAt } = quotaPeriodOf(now);
    let use = this.#uses.get(customerId);
    if (use === undefined || use.dayId < dayId) {
      if (this.#uses.size >= CUSTOMERS_MAX) this.#forgetOthers(dayId);
      use = { dayId, count: 0 };
      this.#uses.set(customerId, use);
    }
    if (use.count >= limit) return { limit, resetAt: dayEndsAt };
    use.count += 1;
    return null;
  }

  #forgetOthers(dayId: number): void {
    for (const [customerId, use] of this.#uses) {
      if (use.dayId < dayId) this.#uses.delete(customerId);
    }
  }
}
