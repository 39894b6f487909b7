import { relativeVolume } from './average-volume.ts';
import type { AdjustedBar } from './daily-bar.ts';
import { compareFractions, type Fraction, fractionOf, multiplyFractions } from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { firstSession } from './release-window.ts';

/** Half as much again as usual, and as the other day. */
const CLEAR = fractionOf('1.5');

/**
 * Infers which of two sessions reacted to a report of unknown time: the day of the report (or the
 * next trading day) or the trading day after it. It needs a relative volume of 1.5 or more and 1.5
 * times the other's. Null if neither qualifies or a volume is unknown.
 */
export function inferReleaseDay(
  date: LocalDate,
  calendar: MarketCalendar,
  bars: readonly AdjustedBar[],
): LocalDate | null {
  const sameDay = firstSession(date, calendar);
  const nextDay = calendar.nextTradingDay(sameDay);
  const same = relativeVolume(bars, calendar, sameDay);
  const next = relativeVolume(bars, calendar, nextDay);
  if (same === null || next === null) return null;
  if (standsOut(same, next)) return sameDay;
  return standsOut(next, same) ? nextDay : null;
}

function standsOut(volume: Fraction, other: Fraction): boolean {
  return (
    compareFractions(volume, CLEAR) >= 0 &&
    compareFractions(volume, multiplyFractions(other, CLEAR)) >= 0
  );
}
