import { addDays, type LocalDate, toEpochDay } from '../local-date.ts';
import { baseDay } from './base-days.ts';
import { isTrading, type MarketDay } from './market-day.ts';
import { applyOverrides, type MarketOverride } from './overrides.ts';

/**
 * The trading calendar for the New York Stock Exchange. It is exact from 1970 through the last
 * published year (2028) and extrapolated by the rules outside those years. A lookup takes well
 * under a microsecond once its year is cached.
 */
export interface MarketCalendar {
  day(date: LocalDate): MarketDay;
  /** Returns true if there is a session on that day, even a shortened one. */
  isTradingDay(date: LocalDate): boolean;
  /** Returns the first trading day strictly after `date`. */
  nextTradingDay(date: LocalDate): LocalDate;
  /** Returns the last trading day strictly before `date`. */
  previousTradingDay(date: LocalDate): LocalDate;
  /**
   * Moves by `count` trading days: 1 returns the next trading day, -1 the previous one, and 0 the
   * date itself, whether or not it is a trading day.
   */
  addTradingDays(date: LocalDate, count: number): LocalDate;
  /**
   * Returns the trading days from `from` to `to`, both inclusive. Returns an empty list if `to` is
   * earlier.
   */
  tradingDays(from: LocalDate, to: LocalDate): LocalDate[];
  /**
   * Returns the number of trading days after `from` up to and including `to`. The number is
   * negative if `to` is earlier.
   */
  tradingDaysBetween(from: LocalDate, to: LocalDate): number;
}

/**
 * Creates a calendar with the operator's overrides. This is cheap, because all calendars share the
 * days computed by rule. Create a new calendar whenever the overrides change.
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
    const days: LocalDate[] = [];
    const last = toEpochDay(to);
    for (let date = from; toEpochDay(date) <= last; date = addDays(date, 1)) {
      if (isTradingDay(date)) days.push(date);
    }
    return days;
  }

  return {
    day,
    isTradingDay,
    nextTradingDay: (date) => step(date, 1),
    previousTradingDay: (date) => step(date, -1),
    addTradingDays(date, count) {
      let at = date;
      for (let remaining = Math.abs(count); remaining > 0; remaining--)
        at = step(at, count > 0 ? 1 : -1);
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
