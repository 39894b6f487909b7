import { compareDecimals, type Decimal, decimalToNumber } from './decimal.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import type { ShareSplit } from './share-splits.ts';

/** A day's close as traded. */
export interface TradedClose {
  date: LocalDate;
  close: Decimal;
}

/** Factor by which the price may have moved in the session of a split, in addition to the split. */
const MOVE_MAX = 1.2;
/** The corresponding factor for ratios below 2, which a price move can resemble more easily. */
const SMALL_MOVE_MAX = 1.1;

/**
 * Returns the first session on the new basis, based on the closes from one source. It is the only
 * session after the last filing on the old basis, and up to the first filing on the new one, in
 * which the close moved by the split ratio. Returns null if there is no such session or more than
 * one, or if a session in between has no close. The day is never guessed.
 */
export function splitDay(
  { after, date, ratio }: ShareSplit,
  closes: readonly TradedClose[],
  calendar: MarketCalendar,
): LocalDate | null {
  const byDate = new Map(closes.map((close) => [close.date, close.close]));
  const candidates: LocalDate[] = [];
  let before = byDate.get(calendar.previousTradingDay(calendar.nextTradingDay(after)));
  for (const day of calendar.tradingDays(calendar.nextTradingDay(after), date)) {
    const close = byDate.get(day);
    if (close === undefined || before === undefined) return null;
    if (movedBy(before, close, ratio.numerator / ratio.denominator)) candidates.push(day);
    before = close;
  }
  const [only, ...others] = candidates;
  return only !== undefined && others.length === 0 ? only : null;
}

function movedBy(before: Decimal, close: Decimal, ratio: number): boolean {
  if (compareDecimals(before, '0') <= 0 || compareDecimals(close, '0') <= 0) return false;
  const remainingMove = decimalToNumber(before) / decimalToNumber(close) / ratio;
  const moveMax = Math.max(ratio, 1 / ratio) < 2 ? SMALL_MOVE_MAX : MOVE_MAX;
  return remainingMove <= moveMax && remainingMove >= 1 / moveMax;
}
