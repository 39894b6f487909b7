import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../local-date.ts';
import { newYorkDate, newYorkInstant } from '../new-york.ts';
import type { MarketCalendar } from './calendar.ts';
import { isTrading, type MarketDay } from './market-day.ts';

export type MarketSession = 'pre-market' | 'open' | 'after-hours' | 'closed';

/** The session at an instant. A session includes its start and excludes its end. */
export interface SessionState {
  session: MarketSession;
  /** New York date of the instant. */
  date: LocalDate;
  nextSession: MarketSession;
  /** Start of the next session, always strictly later. */
  nextSessionAt: Instant;
}

interface Turn {
  session: MarketSession;
  at: Instant;
}

/**
 * Returns the session at an instant. A day without a session is `closed` until the pre-market of
 * the next trading day.
 */
export function sessionAt(calendar: MarketCalendar, at: Instant): SessionState {
  const date = newYorkDate(at);
  const turns = turnsOf(calendar.day(date));
  const session = turns.findLast((turn) => turn.at <= at)?.session ?? 'closed';
  const next = turns.find((turn) => turn.at > at) ?? firstTurnAfter(calendar, date);
  return { session, date, nextSession: next.session, nextSessionAt: next.at };
}

/** Returns the first regular open strictly after `at`, and its day. */
export function nextOpenAfter(
  calendar: MarketCalendar,
  at: Instant,
): { date: LocalDate; at: Instant } {
  return nextAfter(calendar, at, 'open');
}

/** Returns the first regular or early close strictly after `at`, and its day. */
export function nextCloseAfter(
  calendar: MarketCalendar,
  at: Instant,
): { date: LocalDate; at: Instant } {
  return nextAfter(calendar, at, 'after-hours');
}

function nextAfter(
  calendar: MarketCalendar,
  at: Instant,
  session: MarketSession,
): { date: LocalDate; at: Instant } {
  let date = newYorkDate(at);
  for (;;) {
    const turn = turnsOf(calendar.day(date)).find((each) => each.session === session);
    if (turn !== undefined && turn.at > at) return { date, at: turn.at };
    date = calendar.nextTradingDay(date);
  }
}

function firstTurnAfter(calendar: MarketCalendar, date: LocalDate): Turn {
  const [first] = turnsOf(calendar.day(calendar.nextTradingDay(date)));
  if (first === undefined) throw new Error(`no session on the trading day after ${date}`);
  return first;
}

/** Returns the session changes within one day, in chronological order. A closed day has none. */
function turnsOf(day: MarketDay): Turn[] {
  if (!isTrading(day)) return [];
  return [
    { session: 'pre-market', at: newYorkInstant(day.date, day.preMarketOpen) },
    { session: 'open', at: newYorkInstant(day.date, day.open) },
    { session: 'after-hours', at: newYorkInstant(day.date, day.close) },
    { session: 'closed', at: newYorkInstant(day.date, day.afterHoursClose) },
  ];
}
