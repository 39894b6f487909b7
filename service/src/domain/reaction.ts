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
  /** Split-adjusted, oldest first, as `adjustForSplits` returns them. */
  bars: readonly AdjustedBar[];
  /** The newest session that is over and has bars. Later bars may still change. */
  lastCompletedSession: LocalDate;
}

/** The days and the price from which a reaction is measured. */
export interface ReactionWindow {
  /** The last session before the news; null while it is not over or if it has no bar nearby. */
  baseDate: LocalDate | null;
  /** The close on `baseDate`. */
  basePrice: Decimal | null;
  /** The first session with a bar that could react; from the calendar if there is none. */
  firstReactionDate: LocalDate;
  reactionBasis: ReactionBasis;
  base: AdjustedBar | null;
  /** The bar of `firstReactionDate`, even if that session is not over; null if there is none. */
  first: AdjustedBar | null;
}

/** Price reactions after a report. Percentages have 4 decimals, rounded half away from zero. */
export interface EventReactions {
  baseDate: LocalDate | null;
  basePrice: Decimal | null;
  reactionBasis: ReactionBasis;
  /** Mean volume of the 20 sessions that end on `baseDate`; null if fewer than 15 have one. */
  averageVolume: Decimal | null;
  /** Up to 10 completed sessions; empty without a base or while the first is not over. */
  reactions: Reaction[];
}

export interface Reaction {
  /** Numbers the sessions that have a bar, from 1. */
  day: number;
  date: LocalDate;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  volume: number | null;
  /** Relative to the previous close: the base on day 1, then that of the previous listed day. */
  priceChange: Decimal;
  /** Open relative to the base, on day 1 only. */
  gapChange: Decimal | null;
  /** Relative to the base. */
  cumulativeChange: Decimal;
  /** Volume relative to `averageVolume`, 4 decimals. */
  volumeRatio: Decimal | null;
}

const REACTIONS_MAX = 10;
/** Bars further apart belong to two separate histories, not to a halt. */
const MISSING_SESSIONS_MAX = 10;
const PLACES = 4;

/**
 * Finds the start of a reaction. Skips sessions without a bar (halts) on both sides, up to ten.
 * Without an instant or a marker, the day is inferred from the volume of completed sessions. If
 * that fails, or `infers` is false, the report is assumed to have come after the close.
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

/** The reactions to one report in its completed sessions. */
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

/** Close to close, exact. Prices are positive, so the change always exists. */
export function priceChangeOf(from: AdjustedBar, to: AdjustedBar): Fraction {
  return changeBetween(from.exact.close, to.exact.close);
}

/** Open relative to the previous close, exact; null if the open is unknown. */
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
