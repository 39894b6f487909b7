import { type AdjustedBar, lastIndexUpTo } from './daily-bar.ts';
import {
  addFractions,
  divideFractions,
  type Fraction,
  multiplyFractions,
  ZERO,
} from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';

/** Number of sessions over which a volume is averaged. */
export const VOLUME_SESSIONS = 20;

/**
 * Returns the mean volume, in today's shares, over the `sessions` trading days that end on
 * `lastSession`. Days without a volume are ignored. Returns null if fewer than three quarters of
 * the days (15 of 20) have a volume, as for a new listing.
 */
export function meanVolume(
  bars: readonly AdjustedBar[],
  calendar: MarketCalendar,
  lastSession: LocalDate,
  sessions = VOLUME_SESSIONS,
): Fraction | null {
  const first = calendar.addTradingDays(lastSession, 1 - sessions);
  const window = bars.slice(lastIndexBefore(bars, first) + 1, lastIndexUpTo(bars, lastSession) + 1);
  const volumes = window.flatMap(({ exact }) => exact.volume ?? []);
  if (volumes.length === 0 || volumes.length * 4 < sessions * 3) return null;
  const sum = volumes.reduce(addFractions, ZERO);
  return multiplyFractions(sum, { numerator: 1n, denominator: BigInt(volumes.length) });
}

/**
 * Returns a day's volume divided by the mean volume of the sessions before it. Returns null if
 * either is unknown or the mean is zero.
 */
export function relativeVolume(
  bars: readonly AdjustedBar[],
  calendar: MarketCalendar,
  date: LocalDate,
): Fraction | null {
  const bar = bars[lastIndexUpTo(bars, date)];
  if (bar === undefined || bar.date !== date) return null;
  return volumeRatio(bar, meanVolume(bars, calendar, calendar.previousTradingDay(date)));
}

/**
 * Returns the bar's volume divided by the mean. Returns null if either is unknown or the mean is
 * zero.
 */
export function volumeRatio(bar: AdjustedBar, mean: Fraction | null): Fraction | null {
  if (bar.exact.volume === null || mean === null) return null;
  return divideFractions(bar.exact.volume, mean);
}

function lastIndexBefore(bars: readonly AdjustedBar[], date: LocalDate): number {
  const index = lastIndexUpTo(bars, date);
  return bars[index]?.date === date ? index - 1 : index;
}
