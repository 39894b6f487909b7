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
  /** Split-adjusted, oldest first, as `adjustForSplits` makes them. */
  bars: readonly AdjustedBar[];
  /** The newest session that is over and whose bars are in; later bars may still move. */
  lastCompletedSession: LocalDate;
}

/** The days and the price from which a reaction is measured. */
export interface ReactionWindow {
  /** The last session before the news; null while it is not over, or without a bar near it. */
  baseDate: LocalDate | null;
  /** Its close. */
  basePrice: Decimal | null;
  /** The first session with a bar that could answer; by the calendar alone where there is none. */
  firstReactionDate: LocalDate;
  reactionBasis: ReactionBasis;
  base: AdjustedBar | null;
  /** The bar of `firstReactionDate`, over or not; null when there is none. */
  first: AdjustedBar | null;
}

/** What prices did after a report; percentages have 4 decimals, half away from zero. */
export interface EventReactions {
  baseDate: LocalDate | null;
  basePrice: Decimal | null;
  reactionBasis: ReactionBasis;
  /** Mean volume of the 20 sessions that end on `baseDate`; null when fewer than 15 have one. */
  averageVolume: Decimal | null;
  /** Up to 10 sessions that are over; none without a base or while the first is not over. */
  reactions: Reaction[];
}

export interface Reaction {
  /** Counts the sessions that have a bar, from 1. */
  day: number;
  date: LocalDate;
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  volume: number | null;
  /** Against the close before: of the base on day 1, then of the day shown before. */
  priceChange: Decimal;
  /** Open against base, on day 1 only. */
  gapChange: Decimal | null;
  /** Against the base. */
  cumulativeChange: Decimal;
  /** Volume against `averageVolume`, 4 decimals. */
  volumeRatio: Decimal | null;
}

const REACTIONS_MAX = 10;
/** Bars that lie further apart are two histories with a hole between, not a halt. */
const MISSING_SESSIONS_MAX = 10;
const PLACES = 4;

/**
 * Where a reaction starts. A session without a bar (a halt) is passed over, on both sides, by up
 * to ten sessions. Without moment and marker the day is inferred from volume, of sessions that are
 * over; failing that, or where `infers` is false, the report is taken to have come after the close.
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

/** The reactions to one report, as far as its sessions are over. */
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

/** Close against close, exact. Prices are above zero, so there always is one. */
export function priceChangeOf(from: AdjustedBar, to: AdjustedBar): Fraction {
  return changeBetween(from.exact.close, to.exact.close);
}

/** Open against the close before, exact; null where the open is not known. */
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
