import { formatInstant, type Instant } from '../../platform/instant.ts';
import { addDays, type LocalDate } from '../local-date.ts';
import { formatNewYork } from '../new-york.ts';
import type { MarketCalendar } from './calendar.ts';
import { formatClockTime } from './clock-time.ts';
import { holidayName, isTrading, type MarketDay } from './market-day.ts';
import { type MarketSession, nextCloseAfter, nextOpenAfter, sessionAt } from './sessions.ts';

/**
 * `special-closure` means that the market is closed because of a listed historical event or an
 * operator's override.
 */
export type ClosedReason = 'weekend' | 'holiday' | 'special-closure' | 'outside-hours';

/** The market's state at one instant. Keys are in response order. */
export interface MarketStatus {
  /** True if the current New York day has a session, even if it is over. */
  isTodayOpen: boolean;
  isTomorrowOpen: boolean;
  /** The New York date of `nextOpen`. */
  nextOpenDate: LocalDate;
  currentMarketStatus: MarketSession;
  timestamp: string;
  timezone: 'America/New_York';
  /**
   * The first regular open strictly after now, with the New York offset. `nextClose` has the same
   * form.
   */
  nextOpen: string;
  nextClose: string;
  /** The value that `currentMarketStatus` will have at `nextStatusAt` (UTC, strictly after now). */
  nextStatus: MarketSession;
  nextStatusAt: string;
  /** Null unless `currentMarketStatus` is `closed`. */
  closedReason: ClosedReason | null;
  /** Refers to today, as does `holiday`. */
  isEarlyClose: boolean;
  holiday: string | null;
  today: MarketStatusDay;
  tomorrow: MarketStatusDay;
}

/**
 * One day in the response. Clock times are `HH:MM`, New York time, and null on a day without a
 * session.
 */
export interface MarketStatusDay {
  date: LocalDate;
  isOpen: boolean;
  preMarketOpen: string | null;
  open: string | null;
  close: string | null;
  afterHoursClose: string | null;
  isEarlyClose: boolean;
  /** The day's name in the list of market holidays and early closes. */
  holiday: string | null;
}

/**
 * Returns the body of `/v1/market-status` at `now`: the current New York day, the next day, and the
 * next open.
 */
export function deriveMarketStatus(calendar: MarketCalendar, now: Instant): MarketStatus {
  const state = sessionAt(calendar, now);
  const today = calendar.day(state.date);
  const tomorrow = calendar.day(addDays(state.date, 1));
  const nextOpen = nextOpenAfter(calendar, now);
  return {
    isTodayOpen: isTrading(today),
    isTomorrowOpen: isTrading(tomorrow),
    nextOpenDate: nextOpen.date,
    currentMarketStatus: state.session,
    timestamp: formatInstant(now),
    timezone: 'America/New_York',
    nextOpen: formatNewYork(nextOpen.at),
    nextClose: formatNewYork(nextCloseAfter(calendar, now).at),
    nextStatus: state.nextSession,
    nextStatusAt: formatInstant(state.nextSessionAt),
    closedReason: state.session === 'closed' ? closedReason(today) : null,
    isEarlyClose: today.status === 'early',
    holiday: holidayName(today),
    today: renderDay(today),
    tomorrow: renderDay(tomorrow),
  };
}

function closedReason(today: MarketDay): ClosedReason {
  if (isTrading(today)) return 'outside-hours';
  if (today.kind === 'weekend') return 'weekend';
  return today.kind === 'special' ? 'special-closure' : 'holiday';
}

function renderDay(day: MarketDay): MarketStatusDay {
  return {
    date: day.date,
    isOpen: isTrading(day),
    preMarketOpen: renderClock(day.preMarketOpen),
    open: renderClock(day.open),
    close: renderClock(day.close),
    afterHoursClose: renderClock(day.afterHoursClose),
    isEarlyClose: day.status === 'early',
    holiday: holidayName(day),
  };
}

function renderClock(minutes: number | null): string | null {
  return minutes === null ? null : formatClockTime(minutes);
}
