import { addDays, type LocalDate, toEpochDay } from '../local-date.ts';
import { baseDay } from './base-days.ts';
import { isTrading, type MarketDay } from './market-day.ts';
import { applyOverrides, type MarketOverride } from './overrides.ts';

/**
 * The days of the New York Stock Exchange: exact from 1970 through the last year that the exchange
 * has published (2028), and the rules carried on outside those years. Look-ups cost well under a
 * microsecond once a year has been used.
 */
export interface MarketCalendar {
  day(date: LocalDate): MarketDay;
  /** Whether there is a session that day, a shortened one included. */
  isTradingDay(date: LocalDate): boolean;
  /** The first trading day strictly after `date`. */
  nextTradingDay(date: LocalDate): LocalDate;
  /** The last trading day strictly before `date`. */
  previousTradingDay(date: LocalDate): LocalDate;
  /**
   * `count` trading days on: 1 is the next one, -1 the previous, 0 the date itself whether or not
   * it is a trading day.
   */
  addTradingDays(date: LocalDate, count: number): LocalDate;
  /** The trading days from `from` to `to`, both included; none when `to` is earlier. */
  tradingDays(from: LocalDate, to: LocalDate): LocalDate[];
  /** How many trading days lie after `from` up to and including `to`; negative when reversed. */
  tradingDaysBetween(from: LocalDate, to: LocalDate): number;
}

/**
 * A calendar with an operator's overrides merged in. Making one is cheap, since days by rule are
 * shared between all calendars: make a new one whenever the overrides change.
 */
export function marketCalendar(overrides: readonly MarketOverride[] = []): MarketCalendar {
  const overridden = mergeOverrides(overrides);

  function day(date: LocalDate): MarketDay {
    return overridden.get(date) ?? baseDay(date);
  }

  function isTradingDay(date: LocalDate): boolean {
    return isTrading(day(date));
  }

  function step(date: LocalDate, days: 1 | -1): LocalDate {
    let next = addDays(date, days);
    while (!isTradingDay(next)) next = addDays(next, days);
    return next;
  }

  function tradingDays(from: LocalDate, to: LocalDate): LocalDate[] {
    const found: LocalDate[] = [];
    const last = toEpochDay(to);
    for (let date = from; toEpochDay(date) <= last; date = addDays(date, 1)) {
      if (isTradingDay(date)) found.push(date);
    }
    return found;
  }

  return {
    day,
    isTradingDay,
    nextTradingDay: (date) => step(date, 1),
    previousTradingDay: (date) => step(date, -1),
    addTradingDays(date, count) {
      let at = date;
      for (let left = Math.abs(count); left > 0; left--) at = step(at, count > 0 ? 1 : -1);
      return at;
    },
    tradingDays,
    tradingDaysBetween(from, to) {
      if (to < from) return -tradingDays(addDays(to, 1), from).length;
      return tradingDays(addDays(from, 1), to).length;
    },
  };
}

function mergeOverrides(overrides: readonly MarketOverride[]): Map<LocalDate, MarketDay> {
  const byDate = Map.groupBy(overrides, (override) => override.date);
  const merged = new Map<LocalDate, MarketDay>();
  for (const [date, ofDate] of byDate) merged.set(date, applyOverrides(baseDay(date), ofDate));
  return merged;
}
