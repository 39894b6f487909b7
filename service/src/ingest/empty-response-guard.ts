import { countEarningsOfSource } from '../datasets/earnings/store.ts';
import type { MarketCalendar } from '../domain/market/calendar.ts';
import { newYorkDate } from '../domain/new-york.ts';
import { type SourceResponse, SourceResponseError, type Feed } from '../providers/provider.ts';
import type { Queryable } from '../storage/db.ts';
import { urlDateRange } from './planned-requests.ts';

/** Minimum share of the known reports that a calendar for a near day must still list. */
const SHARE_MIN = 0.2;
const TRADING_DAYS_AHEAD = 5;
/** All reports may disappear from a day with fewer known reports than this. */
const KNOWN_REPORTS_MIN = 10;

/**
 * Returns the reason to reject an earnings calendar that lost nearly all reports for a near day, or
 * null if the calendar is plausible. A rejected calendar deletes nothing and is not counted as a
 * success: the data set becomes stale, and the run is repeated.
 */
export async function checkSuddenlyEmpty(
  deps: { db: Queryable; market(): Promise<MarketCalendar>; provider: string; feed: Feed },
  response: SourceResponse,
): Promise<SourceResponseError | null> {
  if (!deps.feed.datasets.includes('earnings')) return null;
  const range = urlDateRange(response.url);
  const today = newYorkDate(response.observedAt);
  if (range === null || range.from !== range.to || range.from < today) return null;
  const market = await deps.market();
  if (market.tradingDaysBetween(today, range.from) > TRADING_DAYS_AHEAD) return null;
  const knownReports = await countEarningsOfSource(deps.db, deps.provider, range.from);
  if (knownReports < KNOWN_REPORTS_MIN) return null;
  const rows = countRows(deps.feed, response);
  if (rows === null || rows >= knownReports * SHARE_MIN) return null;
  return new SourceResponseError(
    'error-answer',
    'suddenly-empty',
    `${rows} reports for ${range.from}, ${knownReports} known before`,
  );
}

/**
 * Returns the number of rows, or null for an unreadable response, which ingestion rejects later.
 */
function countRows(feed: Feed, response: SourceResponse): number | null {
  try {
    return feed.parse(response).rows.length;
  } catch {
    return null;
  }
}
