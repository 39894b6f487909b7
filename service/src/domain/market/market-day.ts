import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../local-date.ts';
import { newYorkInstant } from '../new-york.ts';

/** `early` means a session that ends before the regular close of its time. */
export type MarketDayStatus = 'open' | 'closed' | 'early';

/**
 * A calendar day on the New York Stock Exchange. Clock times are minutes since New York midnight.
 * All four are null on closed days and only then.
 */
export interface MarketDay {
  readonly date: LocalDate;
  readonly status: MarketDayStatus;
  readonly preMarketOpen: number | null;
  readonly open: number | null;
  readonly close: number | null;
  readonly afterHoursClose: number | null;
  /**
   * `Weekend`, the holiday's name, or the reason for a shortened session. Null on a regular day.
   */
  readonly reason: string | null;
  /**
   * `special` means that the day is in the list of historical events or has an operator's override.
   */
  readonly kind: 'regular' | 'weekend' | 'scheduled' | 'special';
  /** The actual date of a holiday observed on this day; otherwise null. */
  readonly observedFor: LocalDate | null;
  /** `projected` means extrapolated by the rules, for years that the exchange has not published. */
  readonly basis: 'published' | 'projected';
}

/** A day with a session, so all four clock times are set. */
export interface TradingDay extends MarketDay {
  readonly preMarketOpen: number;
  readonly open: number;
  readonly close: number;
  readonly afterHoursClose: number;
}

export function isTrading(day: MarketDay): day is TradingDay {
  return day.status !== 'closed';
}

/** Returns the instant of the regular open, or null on a closed day. */
export function openAt(day: MarketDay): Instant | null {
  return day.open === null ? null : newYorkInstant(day.date, day.open);
}

/** Returns the instant of the regular or early close, or null on a closed day. */
export function closeAt(day: MarketDay): Instant | null {
  return day.close === null ? null : newYorkInstant(day.date, day.close);
}

/** Returns the day's name in the list of holidays, or null for any other day. */
export function holidayName(day: MarketDay): string | null {
  if (day.kind === 'weekend' || day.status === 'open') return null;
  return day.reason;
}
