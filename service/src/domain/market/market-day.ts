import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../local-date.ts';
import { newYorkInstant } from '../new-york.ts';

/** `early`: a session that ends before the regular close of its time. */
export type MarketDayStatus = 'open' | 'closed' | 'early';

/**
 * One civil day of the New York Stock Exchange. Clock times are whole minutes since midnight on
 * the New York clock face; the four are null together, on closed days only.
 */
export interface MarketDay {
  readonly date: LocalDate;
  readonly status: MarketDayStatus;
  readonly preMarketOpen: number | null;
  readonly open: number | null;
  readonly close: number | null;
  readonly afterHoursClose: number | null;
  /** `Weekend`, the holiday, or what shortened the session; null on a regular day. */
  readonly reason: string | null;
  /** `special`: not in the yearly rules, but history's dated list or an operator's override. */
  readonly kind: 'regular' | 'weekend' | 'scheduled' | 'special';
  /** The holiday's own date when the market observes it on another; else null. */
  readonly observedFor: LocalDate | null;
  /** `projected`: the rules are carried on where the exchange has not published, or not yet. */
  readonly basis: 'published' | 'projected';
}

/** A day with a session: the four clock times are there. */
export interface TradingDay extends MarketDay {
  readonly preMarketOpen: number;
  readonly open: number;
  readonly close: number;
  readonly afterHoursClose: number;
}

export function isTrading(day: MarketDay): day is TradingDay {
  return day.status !== 'closed';
}

/** The moment of the regular open; null on a closed day. */
export function openAt(day: MarketDay): Instant | null {
  return day.open === null ? null : newYorkInstant(day.date, day.open);
}

/** The moment of the regular (or early) close; null on a closed day. */
export function closeAt(day: MarketDay): Instant | null {
  return day.close === null ? null : newYorkInstant(day.date, day.close);
}

/** The name under which a day stands in the list of holidays; null for every other day. */
export function holidayName(day: MarketDay): string | null {
  if (day.kind === 'weekend' || day.status === 'open') return null;
  return day.reason;
}
