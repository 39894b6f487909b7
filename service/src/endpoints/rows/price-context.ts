import { newestCompleteSession, type SecurityBars } from '../../datasets/bars/load.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import { closeAt } from '../../domain/market/market-day.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { PointInTime } from './past-reads.ts';

/** Data that is required to compute any response with prices. */
export interface PriceContext {
  market: MarketCalendar;
  /** Latest session with bars that was over; null if the store has no bars. */
  session: LocalDate | null;
  /** New York day at the point in time, whose share basis all prices have. */
  today: LocalDate;
}

/**
 * Loads the context of a response with prices. At a past instant, for the store as for the public,
 * it covers exactly the sessions that had closed: bars have no history, and they are public at
 * the close.
 */
export async function loadPriceContext(db: Queryable, point: PointInTime): Promise<PriceContext> {
  const { at, today } = point;
  const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
  const upTo = at === null ? null : lastClosedSession(market, at);
  return { market, session: await newestCompleteSession(db, { upTo }), today };
}

/** Returns the last session whose regular hours had ended at the instant. */
export function lastClosedSession(market: MarketCalendar, at: Instant): LocalDate {
  const day = newYorkDate(at);
  const closedAt = closeAt(market.day(day));
  return closedAt !== null && closedAt <= at ? day : market.previousTradingDay(day);
}

/**
 * Returns the time of the newest observation of these bars, or, at a past instant, the close of the
 * newest session, because the response does not depend on when the bars arrived. Null without bars.
 */
export function pricesSeenAt(
  prices: Iterable<SecurityBars>,
  { market }: Pick<PriceContext, 'market'>,
  { at }: PointInTime,
): Instant | null {
  const instants = [...prices].map(({ bars, seenAt }) => {
    const last = bars.at(-1);
    return at === null || last === undefined ? seenAt : (closeAt(market.day(last.date)) ?? 0);
  });
  return instants.length === 0 ? null : Math.max(...instants);
}
