import { relativeVolume } from './average-volume.ts';
import type { AdjustedBar } from './daily-bar.ts';
import { compareFractions, type Fraction, fractionOf, multiplyFractions } from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { firstSession } from './release-window.ts';

/**
 * Minimum factor between a session's volume and its average, and between the relative volumes of
 * the two sessions.
 */
const CLEAR = fractionOf('1.5');

/**
 * Infers which of two sessions reacted to a report with an unknown time: the day of the report (or
 * the next trading day), or the trading day after it. The session must have a volume of at least
 * 1.5 times its average, and a relative volume of at least 1.5 times that of the other session.
 * Returns null if neither session qualifies or a volume is unknown.
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
