import {
  loadPublicEarnings,
  loadPublicEarningsBetween,
  type PublicEarnings,
} from '../../datasets/earnings/load-public.ts';
import { loadEarningsBetween, loadEarningsInSlices } from '../../datasets/earnings/store.ts';
import type { Security } from '../../datasets/securities/row.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Queryable } from '../../storage/db.ts';
import type { KnownGap } from '../endpoint.ts';
import type { DateRange } from './date-range.ts';
import { gapsAt, isPublic, type PointInTime } from './past-reads.ts';

/** Reports with what is missing about them; `recordedSince` is null for stored reports. */
export type KnownEarnings = PublicEarnings;

/** Data about reports that only calendars and analyst pages have. */
const CALENDAR_DATA = ['announced-dates', 'consensus', 'adjusted-eps', 'call-times'];

/** Loads all reports of securities as of a point in time. */
export async function loadKnownEarnings(
  db: Queryable,
  securities: readonly Security[],
  point: PointInTime,
  market: MarketCalendar,
): Promise<KnownEarnings> {
  if (isPublic(point)) return loadPublicEarnings(db, securities, { at: point.at, market });
  const ids = securities.map(({ id }) => id);
  const events = await loadEarningsInSlices(db, ids, point.at);
  return { events, recordedSince: null };
}

/**
 * Loads the reports of a range of days as of a point in time: those of all companies, or at least
 * those of some, given by symbol or id.
 */
export async function loadKnownEarningsBetween(
  db: Queryable,
  days: DateRange,
  point: PointInTime,
  { market, symbols = null, securityIds = null }: KnownEarningsQuery,
): Promise<KnownEarnings> {
  if (!isPublic(point)) {
    return { events: await loadEarningsBetween(db, days, point.at), recordedSince: null };
  }
  const query = { at: point.at, market };
  if (symbols === null) return loadPublicEarningsBetween(db, days, { ...query, securityIds });
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const { events, recordedSince } = await loadPublicEarnings(db, securities, query);
  return {
    events: events.filter(({ date }) => date >= days.from && date <= days.to),
    recordedSince,
  };
}

export interface KnownEarningsQuery {
  market: MarketCalendar;
  symbols?: readonly string[] | null;
  securityIds?: readonly string[] | null;
}

export function earningsGaps(point: PointInTime, { recordedSince }: KnownEarnings): KnownGap[] {
  return gapsAt(point, CALENDAR_DATA, recordedSince);
}
