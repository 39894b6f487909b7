import { countEarningsOfSource } from '../datasets/earnings/store.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import { type SourceResponse, SourceResponseError, type Feed } from '../providers/provider.ts';
import type { Queryable } from '../storage/db.ts';
import { urlDateRange } from './planned-requests.ts';

/** Calendars of the coming days are full; one that holds a fifth of what it held is out of order. */
const SHARE_MIN = 0.2;
const TRADING_DAYS_AHEAD = 5;
/** Days with fewer reports than this may well lose them all. */
const KNOWN_MIN = 10;

/**
 * Why an earnings calendar that has lost nearly all of a near day is not believed; null when it is.
 * Such an answer deletes nothing, but it must not count as a good one either: the data set grows
 * stale, and the run is made again.
 */
export async function checkSuddenlyEmpty(
  deps: { db: Queryable; market(): Promise<MarketCalendar>; provider: string; feed: Feed },
  answer: SourceResponse,
): Promise<SourceResponseError | null> {
  if (!deps.feed.datasets.includes('earnings')) return null;
  const span = urlDateRange(answer.url);
  const today = newYorkDate(answer.observedAt);
  if (span === null || span.from !== span.to || span.from < today) return null;
  const market = await deps.market();
  if (market.tradingDaysBetween(today, span.from) > TRADING_DAYS_AHEAD) return null;
  const known = await countEarningsOfSource(deps.db, deps.provider, span.from);
  if (known < KNOWN_MIN) return null;
  const rows = rowsOf(deps.feed, answer);
  if (rows === null || rows >= known * SHARE_MIN) return null;
  return new SourceResponseError(
    'error-answer',
    'suddenly-empty',
    `${rows} reports for ${span.from}, of which ${known} were known`,
  );
}

/** Null when it cannot be read at all, which is found out and told on the way in. */
function rowsOf(feed: Feed, answer: SourceResponse): number | null {
  try {
    return feed.parse(answer).rows.length;
  } catch {
    return null;
  }
}
