import type { Instant } from '../platform/instant.ts';
import { addDays, fromEpochDay, localDate, monthOf, toEpochDay, yearOf } from './local-date.ts';
import { newYorkDate, newYorkInstant } from './new-york.ts';

/**
 * The windows that a plan can limit, shortest first. Their names appear in headers and error
 * responses.
 */
export type QuotaWindow = 'minute' | 'day' | 'month';

/** `all` counts in every window, `minute` only in the minute. */
export type Cost = 'all' | 'minute';

export const MINUTE_MS = 60_000;

/** The New York calendar day and month that contain an instant. */
export interface QuotaPeriod {
  /** Number of days from 1970-01-01 to the New York date. */
  dayId: number;
  /** Number of months from year 0 to the New York month. */
  monthId: number;
  dayStartsAt: Instant;
  dayEndsAt: Instant;
  monthEndsAt: Instant;
}

/** Returns the quota period at an instant. Days may have 23 or 25 hours. */
export function quotaPeriodOf(now: Instant): QuotaPeriod {
  const date = newYorkDate(now);
  const dayId = toEpochDay(date);
  const monthId = yearOf(date) * 12 + monthOf(date) - 1;
  return {
    dayId,
    monthId,
    dayStartsAt: newYorkInstant(date, 0),
    dayEndsAt: endOfQuotaDay(dayId),
    monthEndsAt: endOfQuotaMonth(monthId),
  };
}

/**
 * Returns a function like `quotaPeriodOf` that computes the period once per day, so a request costs
 * only two comparisons.
 */
export function quotaPeriods(): (now: Instant) => QuotaPeriod {
  let period: QuotaPeriod | undefined;
  return (now) => {
    if (period === undefined || now >= period.dayEndsAt || now < period.dayStartsAt) {
      period = quotaPeriodOf(now);
    }
    return period;
  };
}

/** Returns the New York midnight that ends a day, 23, 24 or 25 hours after the previous one. */
export function endOfQuotaDay(dayId: number): Instant {
  return newYorkInstant(addDays(fromEpochDay(dayId), 1), 0);
}

/** Returns the New York midnight that ends a month. */
export function endOfQuotaMonth(monthId: number): Instant {
  const next = monthId + 1;
  const year = String(Math.floor(next / 12)).padStart(4, '0');
  const month = String((next % 12) + 1).padStart(2, '0');
  return newYorkInstant(localDate(`${year}-${month}-01`), 0);
}
