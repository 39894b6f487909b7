import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../local-date.ts';
import { newYorkInstant } from '../new-york.ts';

/** `early`: a session that ends before the regular close of its time. */
export type MarketDayStatus = 'open' | 'closed' | 'early';

/**
 * A civil day of the New York Stock Exchange. Clock times are minutes since New York midnight. All
 * four are null on closed days only.
 */
export interface MarketDay {
  readonly date: LocalDate;
  readonly status: MarketDayStatus;
  readonly preMarketOpen: number | null;
  readonly open: number | null;
  readonly close: number | null;
  readonly afterHoursClose: number | null;
  /** `Weekend`, the holiday, or the reason for a shortened session; null on a regular day. */
  readonly reason: string | null;
  /**
   * `special`: from the list of historical events or an operator's override, not the yearly rules.
   */
  readonly kind: 'regular' | 'weekend' | 'scheduled' | 'special';
  /** The actual date of a holiday that is observed on this day; else null. */
  readonly observedFor: LocalDate | null;
  /** `projected`: extrapolated by the rules for years that the exchange has not published. */
  readonly basis: 'published' | 'projected';
}

/** A day with a session: all four clock times are set. */
export interface TradingDay extends MarketDay {
  readonly preMarketOpen: number;
  readonly open: number;
  readonly close: number;
  readonly afterHoursClose: number;
}

export function isTrading(day: MarketDay): day is TradingDay {
  return day.status !== 'closed';
}

/** The instant of the regular open; null on a closed day. */
export function openAt(day: MarketDay): Instant | null {
  return day.open === null ? null : newYorkInstant(day.date, day.open);
}

/** The instant of the regular or early close; null on a closed day. */
export function closeAt(day: MarketDay): Instant | null {
  return day.close === null ? null : newYorkInstant(day.date, day.close);
}

/** The name of a day in the list of holidays; null for every other day. */
export function holidayName(day: MarketDay): string | null {
  if (day.kind === 'weekend' || day.status === 'open') return null;
  return day.reason;
}
