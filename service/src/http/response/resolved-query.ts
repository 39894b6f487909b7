import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { addMonths, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';

/** A validated request. Equal queries have equal responses. */
export interface ResolvedQuery {
  endpoint: Endpoint;
  values: Values;
  /** The canonical URL, with dates resolved and without an API key. */
  location: string;
  /** First visible day, for endpoints that omit older rows; null if all days are visible. */
  historyFrom: LocalDate | null;
  /**
   * Identifies the customer and the companies of the watchlists in the query. Part of the cache
   * key, so that a response is never served to another customer, or after a list has changed. Null
   * if the query names no watchlist.
   */
  watchlistScope: string | null;
}

/**
 * Returns the first visible day (inclusive) for a plan with this number of months of history. If
 * that month has no such day, uses its last day.
 */
export function earliestVisibleDate(historyMonths: number, now: Instant): LocalDate {
  return addMonths(newYorkDate(now), -historyMonths);
}

/**
 * Applies a plan's history limit, or rejects a query for a day before the limit. If `historyMonths`
 * is null, all available history is visible.
 */
export function applyHistoryLimit(
  query: Omit<ResolvedQuery, 'historyFrom' | 'watchlistScope'>,
  plan: { name: string; historyMonths: number | null },
  now: Instant,
): ResolvedQuery | { refusal: Problem } {
  const { endpoint, values } = query;
  const unlimited = { ...query, historyFrom: null, watchlistScope: null };
  if (!endpoint.historicalAccess || plan.historyMonths === null) return unlimited;
  const earliestDate = earliestVisibleDate(plan.historyMonths, now);
  if (endpoint.firstDay === undefined) return { ...unlimited, historyFrom: earliestDate };
  const requestedDate = endpoint.firstDay(values);
  if (requestedDate >= earliestDate) return unlimited;
  const detail = `The ${plan.name} plan includes data from ${earliestDate} on.`;
  const members = { requestedDate, earliestDate, plan: plan.name };
  return { refusal: problem('history-window-exceeded', detail, { members }) };
}
