import {
  type AdjustedBar,
  adjustForSplits,
  type DailyBar,
  type PriceSplit,
} from '../../src/domain/daily-bar.ts';
import { localDate, type LocalDate } from '../../src/domain/local-date.ts';
import { marketCalendar } from '../../src/domain/market/calendar.ts';

const calendar = marketCalendar();

/** Returns a bar with a single price. */
export function flatBar(date: string, close: string, volume: number | null = 1_000): DailyBar {
  return { date: localDate(date), open: close, high: close, low: close, close, volume };
}

/** Returns the 20 sessions before a day, all at one price and with 1,000 shares. */
export function quietSessions(nextDay: string, close = '100', sessions = 20): DailyBar[] {
  const end = localDate(nextDay);
  const dates = calendar.tradingDays(
    calendar.addTradingDays(end, -sessions),
    calendar.previousTradingDay(end),
  );
  return dates.map((date) => flatBar(date, close));
}

/** Returns adjusted bars and the last completed session, as the domain rules expect them. */
export function pricesUpTo(
  lastCompletedSession: string,
  bars: readonly DailyBar[],
  splits: readonly PriceSplit[] = [],
): { bars: AdjustedBar[]; lastCompletedSession: LocalDate } {
  return {
    bars: adjustForSplits(bars, splits),
    lastCompletedSession: localDate(lastCompletedSession),
  };
}
