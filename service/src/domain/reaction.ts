import { meanVolume, volumeRatio } from './average-volume.ts';
import { type AdjustedBar, lastIndexUpTo } from './daily-bar.ts';
import type { Decimal } from './decimal.ts';
import { type Fraction, percentChange, roundFraction } from './fraction.ts';
import { inferReleaseDay } from './infer-release-day.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import {
  type ReactionBasis,
  type Release,
  type ReleaseWindow,
  releaseWindow,
  windowAfter,
  windowBefore,
} from './release-window.ts';

export interface PriceData {
  /** Split-adjusted bars, oldest first, as returned by `adjustForSplits`. */
  bars: readonly AdjustedBar[];
  /** The newest session that is over and has bars. Later bars may still change. */
  lastCompletedSession: LocalDate;
}

/** The days and the price from which a reaction is measured. */
export interface ReactionWindow {
  /** The last session before the news. Null until it is over, or if it has no bar nearby. */
  baseDate: LocalDate | null;
  /** The close on `baseDate`. */
  basePrice: Decimal | null;
  /** The first session with a bar that could react. Taken from the calendar if there is none. */
  firstReactionDate: LocalDate;
  reactionBasis: ReactionBasis;
  base: AdjustedBar | null;
  /** The bar for `firstReactionDate`, even if that session is not over. Null if there is none. */
  first: AdjustedBar | null;
}

/** Price reactions after a report. Percentages have 4 decimals, rounded half away from zero. */
export interface EventReactions {
  baseDate: LocalDate | null;
  basePrice: Decimal | null;
  reactionBasis: ReactionBasis;
  /**
   * Mean volume over the 20 sessions that end on `baseDate`. Null if fewer than 15 of them have a
   * volume.
   */
  averageVolume: Decimal | null;
  /** Up to 10 completed sessions. Empty without a base, or until the first session is over. */
  reactions: Reaction[];
}

export interface Reaction {
  /** Number of the session, counting only sessions with a bar, from 1. */
  day: number;
  date: LocalDate;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  volume: number | null;
  /**
   * Change from the previous close, which is the base on day 1 and then the close of the previous
   * listed day.
   */
  priceChange: Decimal;
  /** Change from the base to the open, on day 1 only. */
  gapChange: Decimal | null;
  /** Change from the base. */
  cumulativeChange: Decimal;
  /** Volume relative to `averageVolume`, with 4 decimals. */
  volumeRatio: Decimal | null;
}

const REACTIONS_MAX = 10;
/** Bars that are more than this many sessions apart belong to separate histories, not to a halt. */
const MISSING_SESSIONS_MAX = 10;
const PLACES = 4;

/**
 * Finds the start of a reaction. Skips up to ten sessions without a bar (halts) before and after
 * the report. Without an instant or a marker, the day is inferred from the volumes of completed
 * sessions. If that fails, or if `infers` is false, the report is assumed to have been published
 * after the close.
 */
export function reactionWindow(
  release: Release,
  calendar: MarketCalendar,
  { bars, lastCompletedSession }: PriceData,
  { infers = true }: { infers?: boolean } = {},
): ReactionWindow {
  const completed = bars.slice(0, lastIndexUpTo(bars, lastCompletedSession) + 1);
  const { baseDay, firstDay, reactionBasis } =
    releaseWindow(release, calendar) ??
    unmarkedWindow(release.date, calendar, infers ? completed : []);
  const base = baseDay > lastCompletedSession ? null : lastBarUpTo(completed, baseDay, calendar);
  const first = firstBarFrom(bars, firstDay, calendar);
  return {
    baseDate: base?.date ?? null,
    basePrice: base?.close ?? null,
    firstReactionDate: first?.date ?? firstDay,
    reactionBasis,
    base,
    first,
  };
}

/** Returns the reactions to one report in the sessions completed since then. */
export function deriveReactions(
  release: Release,
  calendar: MarketCalendar,
  { bars, lastCompletedSession }: PriceData,
): EventReactions {
  const completed = bars.slice(0, lastIndexUpTo(bars, lastCompletedSession) + 1);
  const window = reactionWindow(release, calendar, { bars: completed, lastCompletedSession });
  const { base, first } = window;
  const from = first === null ? 0 : lastIndexUpTo(completed, first.date);
  const mean = base === null ? null : meanVolume(completed, calendar, base.date);
  return {
    baseDate: window.baseDate,
    basePrice: window.basePrice,
    reactionBasis: window.reactionBasis,
    averageVolume: mean === null ? null : roundFraction(mean, PLACES),
    reactions:
      base === null || first === null
        ? []
        : upToHole(completed.slice(from, from + REACTIONS_MAX), calendar).map((bar, index, shown) =>
            renderReaction({ bar, day: index + 1, base, before: shown[index - 1] ?? base, mean }),
          ),
  };
}

/**
 * Returns the exact change from close to close. Prices are positive, so there is always a change.
 */
export function priceChangeOf(from: AdjustedBar, to: AdjustedBar): Fraction {
  return changeBetween(from.exact.close, to.exact.close);
}

/** Returns the exact change from the previous close to the open, or null if the open is unknown. */
export function gapChangeOf(from: AdjustedBar, to: AdjustedBar): Fraction | null {
  return to.exact.open === null ? null : changeBetween(from.exact.close, to.exact.open);
}

interface Step {
  bar: AdjustedBar;
  day: number;
  base: AdjustedBar;
  before: AdjustedBar;
  mean: Fraction | null;
}

function renderReaction({ bar, day, base, before, mean }: Step): Reaction {
  const { date, open, high, low, close, volume } = bar;
  return {
    day,
    date,
    open,
    high,
    low,
    close,
    volume,
    priceChange: roundFraction(priceChangeOf(before, bar), PLACES),
    gapChange: day === 1 ? round(gapChangeOf(base, bar)) : null,
    cumulativeChange: roundFraction(priceChangeOf(base, bar), PLACES),
    volumeRatio: round(volumeRatio(bar, mean)),
  };
}

function unmarkedWindow(
  date: LocalDate,
  calendar: MarketCalendar,
  completed: readonly AdjustedBar[],
): ReleaseWindow {
  const inferred = inferReleaseDay(date, calendar, completed);
  if (inferred !== null) return windowBefore(inferred, calendar, 'inferred');
  return { ...windowAfter(date, calendar), reactionBasis: 'assumed' };
}

function lastBarUpTo(
  bars: readonly AdjustedBar[],
  day: LocalDate,
  calendar: MarketCalendar,
): AdjustedBar | null {
  const bar = bars[lastIndexUpTo(bars, day)] ?? null;
  return bar !== null && isNear(bar.date, day, calendar) ? bar : null;
}

function firstBarFrom(
  bars: readonly AdjustedBar[],
  day: LocalDate,
  calendar: MarketCalendar,
): AdjustedBar | null {
  const index = lastIndexUpTo(bars, day);
  const bar = (bars[index]?.date === day ? bars[index] : bars[index + 1]) ?? null;
  return bar !== null && isNear(day, bar.date, calendar) ? bar : null;
}

function upToHole(bars: readonly AdjustedBar[], calendar: MarketCalendar): AdjustedBar[] {
  const hole = bars.findIndex((bar, index) => {
    const before = bars[index - 1];
    return before !== undefined && !isNear(before.date, bar.date, calendar);
  });
  return hole < 0 ? [...bars] : bars.slice(0, hole);
}

function isNear(from: LocalDate, to: LocalDate, calendar: MarketCalendar): boolean {
  return to <= calendar.addTradingDays(from, MISSING_SESSIONS_MAX);
}

function changeBetween(from: Fraction, to: Fraction): Fraction {
  const change = percentChange(from, to);
  if (change === null) throw new RangeError('a price of zero');
  return change;
}

function round(value: Fraction | null): Decimal | null {
  return value === null ? null : roundFraction(value, PLACES);
}
