import type { Instant } from '../platform/instant.ts';
import { addDays, type LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { closeAt, openAt } from './market/market-day.ts';
import { newYorkDate, newYorkInstant } from './new-york.ts';

export type ReleaseTime =
  | 'time-pre-market'
  | 'time-after-hours'
  | 'time-during-market'
  | 'time-not-supplied';

/** The time of a report, as far as it is known. */
export interface Release {
  /** New York date of the report. */
  date: LocalDate;
  time: ReleaseTime;
  /** The exact instant, such as a filing's acceptance time. */
  reportedAt: Instant | null;
  /** True if the session marker was captured before the release. */
  markerAhead: boolean;
}

/**
 * The basis for the reaction days: an `exact` instant; a marker for the `session` before or after
 * trading, or on a day without trading; an `intraday` marker; `inferred` from volume; or `assumed`.
 */
export const REACTION_BASES = ['exact', 'session', 'intraday', 'inferred', 'assumed'] as const;

export type ReactionBasis = (typeof REACTION_BASES)[number];

/** Two consecutive trading days: the last one before the news and the first one that can react. */
export interface ReleaseWindow {
  baseDay: LocalDate;
  firstDay: LocalDate;
  reactionBasis: ReactionBasis;
}

/**
 * Returns the window according to the trading calendar, with the day's actual open and close.
 * Returns null if neither the instant nor the session is known.
 *
 * An instant overrides the marker, with one exception: a marker captured before the release
 * overrides a later instant, because filings often follow the press release by hours. An instant
 * before the marker's session proves the marker wrong.
 */
export function releaseWindow(release: Release, calendar: MarketCalendar): ReleaseWindow | null {
  const { date, time, reportedAt, markerAhead } = release;
  const isMarked = time !== 'time-not-supplied';
  if (reportedAt !== null) {
    const standsAgainst = isMarked && markerAhead && reportedAt >= sessionEnd(date, time, calendar);
    if (!standsAgainst) return windowAt(reportedAt, calendar);
  }
  if (!isMarked) return null;
  if (time === 'time-after-hours')
    return { ...windowAfter(date, calendar), reactionBasis: 'session' };
  const isIntraday = time === 'time-during-market' && calendar.isTradingDay(date);
  return windowBefore(firstSession(date, calendar), calendar, isIntraday ? 'intraday' : 'session');
}

/** Returns the window for news before the open of a trading day or during its session. */
export function windowBefore(
  firstDay: LocalDate,
  calendar: MarketCalendar,
  reactionBasis: ReactionBasis,
): ReleaseWindow {
  return { baseDay: calendar.previousTradingDay(firstDay), firstDay, reactionBasis };
}

/**
 * Returns the window for news after the close of a day, or at any time on a day without trading.
 */
export function windowAfter(
  date: LocalDate,
  calendar: MarketCalendar,
): Pick<ReleaseWindow, 'baseDay' | 'firstDay'> {
  const firstDay = calendar.nextTradingDay(date);
  return { baseDay: calendar.previousTradingDay(firstDay), firstDay };
}

/** Returns the day itself if it is a trading day, otherwise the next trading day. */
export function firstSession(date: LocalDate, calendar: MarketCalendar): LocalDate {
  return calendar.isTradingDay(date) ? date : calendar.nextTradingDay(date);
}

function windowAt(at: Instant, calendar: MarketCalendar): ReleaseWindow {
  const date = newYorkDate(at);
  const close = closeAt(calendar.day(date));
  if (close !== null && at < close) return windowBefore(date, calendar, 'exact');
  return { ...windowAfter(date, calendar), reactionBasis: 'exact' };
}

/**
 * Returns the first instant after the marker's session. A day without trading is treated as one
 * session.
 */
function sessionEnd(date: LocalDate, time: ReleaseTime, calendar: MarketCalendar): Instant {
  const day = calendar.day(date);
  const end = time === 'time-pre-market' ? openAt(day) : closeAt(day);
  if (time === 'time-after-hours' || end === null) return newYorkInstant(addDays(date, 1), 0);
  return end;
}
