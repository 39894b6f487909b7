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

/** When a report came out, as far as it is known. */
export interface Release {
  /** New York day of the report. */
  date: LocalDate;
  time: ReleaseTime;
  /** The exact moment, such as the acceptance of a filing. */
  reportedAt: Instant | null;
  /** The marker was captured ahead of the release. */
  markerAhead: boolean;
}

/**
 * How the reaction days are known: by an `exact` moment; by a marker of the `session` before or
 * after trading, or of a day without any; by a marker `intraday`; `inferred` from volume; `assumed`.
 */
export type ReactionBasis = 'exact' | 'session' | 'intraday' | 'inferred' | 'assumed';

/** Two trading days next to each other: the last before the news, and the first to answer it. */
export interface ReleaseWindow {
  baseDay: LocalDate;
  firstDay: LocalDate;
  reactionBasis: ReactionBasis;
}

/**
 * The window by the trading calendar alone, with the actual open and close of the day; null when
 * neither moment nor session is known.
 *
 * A moment is believed over the marker, except that a marker captured ahead stands against a later
 * one, since filings often follow the press release by hours. A moment before the marker's session
 * proves the marker wrong.
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

/** As for news before the open of that trading day or during it. */
export function windowBefore(
  firstDay: LocalDate,
  calendar: MarketCalendar,
  reactionBasis: ReactionBasis,
): ReleaseWindow {
  return { baseDay: calendar.previousTradingDay(firstDay), firstDay, reactionBasis };
}

/** As for news after the close of that day; on a day without trading, at any time of it. */
export function windowAfter(
  date: LocalDate,
  calendar: MarketCalendar,
): Pick<ReleaseWindow, 'baseDay' | 'firstDay'> {
  const firstDay = calendar.nextTradingDay(date);
  return { baseDay: calendar.previousTradingDay(firstDay), firstDay };
}

/** The day itself when it trades, else the next that does. */
export function firstSession(date: LocalDate, calendar: MarketCalendar): LocalDate {
  return calendar.isTradingDay(date) ? date : calendar.nextTradingDay(date);
}

function windowAt(at: Instant, calendar: MarketCalendar): ReleaseWindow {
  const date = newYorkDate(at);
  const close = closeAt(calendar.day(date));
  if (close !== null && at < close) return windowBefore(date, calendar, 'exact');
  return { ...windowAfter(date, calendar), reactionBasis: 'exact' };
}

/** The first moment past the marker's session; a day without trading is one session. */
function sessionEnd(date: LocalDate, time: ReleaseTime, calendar: MarketCalendar): Instant {
  const day = calendar.day(date);
  const end = time === 'time-pre-market' ? openAt(day) : closeAt(day);
  if (time === 'time-after-hours' || end === null) return newYorkInstant(addDays(date, 1), 0);
  return end;
}
