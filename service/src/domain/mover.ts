import { meanVolume, volumeRatio } from './average-volume.ts';
import type { AdjustedBar } from './daily-bar.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import {
  absoluteFraction,
  compareFractions,
  type Fraction,
  fractionOf,
  roundFraction,
} from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import {
  gapChangeOf,
  priceChangeOf,
  type PriceData,
  type ReactionWindow,
  reactionWindow,
} from './reaction.ts';
import { firstSession, type ReactionBasis, type Release, releaseWindow } from './release-window.ts';

/** An event that has been reported or whose date has passed, with the price bars around it. */
export interface MoverCandidate extends Release {
  /**
   * True if results or a filing prove that the company reported. If false, the session is not
   * inferred from volume.
   */
  isReported: boolean;
  /** ID of the event. It determines the order of two reports from one company. */
  id: string;
  symbol: string;
  /** Split-adjusted bars, as in `PriceData.bars`. Empty if the company has no prices. */
  bars: readonly AdjustedBar[];
}

export interface MoverFilter {
  direction?: 'up' | 'down';
  /** Minimum closing price. */
  minPrice?: Decimal;
  minVolume?: number;
}

export interface Movers<Candidate extends MoverCandidate> {
  /** Number of companies whose first reaction day is the given date, whether or not they moved. */
  totalReported: number;
  /** Number of these companies whose reaction day is only assumed. They are not in `movers`. */
  unknownSession: number;
  /**
   * Number of these companies whose reaction day is known but a close is missing. They are not in
   * `movers`.
   */
  withoutPrices: number;
  /** True once no later session can add a company to this date. */
  isSettled: boolean;
  movers: Mover<Candidate>[];
}

export interface Mover<Candidate extends MoverCandidate> {
  candidate: Candidate;
  /**
   * Percent with 4 decimals, rounded half away from zero. The threshold applies before rounding.
   */
  priceChange: Decimal;
  close: Decimal;
  volume: number | null;
  basePrice: Decimal;
  baseDate: LocalDate;
  reactionBasis: ReactionBasis;
  gapChange: Decimal | null;
  /** Volume relative to the mean of the 20 sessions that end on `baseDate`. */
  volumeRatio: Decimal | null;
}

/** Minimum move in percent, up or down. */
const MOVER_THRESHOLD: Decimal = '5';

/**
 * Maximum number of sessions without a bar between base and first reaction. A change over a longer
 * gap is drift, not a reaction.
 */
const SESSIONS_BETWEEN_MAX = 5;

const PLACES = 4;
const THRESHOLD = fractionOf(MOVER_THRESHOLD);

interface CandidateWindow<Candidate extends MoverCandidate> {
  candidate: Candidate;
  window: ReactionWindow;
}

interface MeasuredCandidate<Candidate extends MoverCandidate> extends CandidateWindow<Candidate> {
  base: AdjustedBar;
  first: AdjustedBar;
  change: Fraction;
}

/**
 * Returns the companies that moved by 5 % or more, close to close, in the first session after the
 * news. The largest move is first; equal moves are ordered by symbol. The threshold applies to the
 * exact move, so a move from 1.60 to 1.68 is included. A company with several reports is counted
 * once, using the report with the best-known session and then the newest. The bar for `date` may be
 * unfinished. Each counted company is in exactly one group: session unknown, without prices, or
 * measured.
 */
export function deriveMovers<Candidate extends MoverCandidate>(
  candidates: readonly Candidate[],
  date: LocalDate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
  filter: MoverFilter = {},
): Movers<Candidate> {
  const windows = candidates
    .map((candidate) => windowOf(candidate, calendar, lastCompletedSession))
    .filter(({ window }) => window.firstReactionDate === date);
  const reported = onePerCompany(windows);
  const measurable = reported.filter(({ window }) => window.reactionBasis !== 'assumed');
  const measured = measurable.flatMap((candidate) => measure(candidate, calendar) ?? []);
  const moved = measured
    .filter(({ change }) => compareFractions(absoluteFraction(change), THRESHOLD) >= 0)
    .toSorted(
      (a, b) =>
        compareFractions(absoluteFraction(b.change), absoluteFraction(a.change)) ||
        compareText(a.candidate.symbol, b.candidate.symbol),
    );
  return {
    totalReported: reported.length,
    unknownSession: reported.length - measurable.length,
    withoutPrices: measurable.length - measured.length,
    isSettled: candidates.every((entry) => isSettled(entry, calendar, lastCompletedSession)),
    movers: moved.map((entry) => renderMover(entry, calendar)).filter(passes(filter)),
  };
}

function windowOf<Candidate extends MoverCandidate>(
  candidate: Candidate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
): CandidateWindow<Candidate> {
  const prices: PriceData = { bars: candidate.bars, lastCompletedSession };
  const infers = candidate.isReported;
  return { candidate, window: reactionWindow(candidate, calendar, prices, { infers }) };
}

/**
 * Measures the move. Returns null if either close is unknown or the two sessions are too far apart.
 */
function measure<Candidate extends MoverCandidate>(
  { candidate, window }: CandidateWindow<Candidate>,
  calendar: MarketCalendar,
): MeasuredCandidate<Candidate> | null {
  const { base, first } = window;
  if (base === null || first === null) return null;
  const between = calendar.tradingDaysBetween(base.date, first.date) - 1;
  if (between > SESSIONS_BETWEEN_MAX) return null;
  return { candidate, window, base, first, change: priceChangeOf(base, first) };
}

/**
 * Returns true if the report's instant or session is known, or if both possible reaction sessions
 * are over.
 */
function isSettled(
  release: Release,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
): boolean {
  if (releaseWindow(release, calendar) !== null) return true;
  const last = calendar.nextTradingDay(firstSession(release.date, calendar));
  return last <= lastCompletedSession;
}

function onePerCompany<Candidate extends MoverCandidate>(
  windows: readonly CandidateWindow<Candidate>[],
): CandidateWindow<Candidate>[] {
  const best = new Map<string, CandidateWindow<Candidate>>();
  for (const entry of windows) {
    const { symbol } = entry.candidate;
    const other = best.get(symbol);
    if (other === undefined || isBetter(entry, other)) best.set(symbol, entry);
  }
  return [...best.values()];
}

function isBetter(
  entry: CandidateWindow<MoverCandidate>,
  other: CandidateWindow<MoverCandidate>,
): boolean {
  const byBasis = guessOf(entry.window.reactionBasis) - guessOf(other.window.reactionBasis);
  if (byBasis !== 0) return byBasis < 0;
  const byDate = compareText(entry.candidate.date, other.candidate.date);
  return byDate === 0 ? entry.candidate.id < other.candidate.id : byDate > 0;
}

function guessOf(basis: ReactionBasis): number {
  return basis === 'assumed' ? 2 : basis === 'inferred' ? 1 : 0;
}

function renderMover<Candidate extends MoverCandidate>(
  { candidate, window, base, first, change }: MeasuredCandidate<Candidate>,
  calendar: MarketCalendar,
): Mover<Candidate> {
  const gap = gapChangeOf(base, first);
  const ratio = volumeRatio(first, meanVolume(candidate.bars, calendar, base.date));
  return {
    candidate,
    priceChange: roundFraction(change, PLACES),
    close: first.close,
    volume: first.volume,
    basePrice: base.close,
    baseDate: base.date,
    reactionBasis: window.reactionBasis,
    gapChange: gap === null ? null : roundFraction(gap, PLACES),
    volumeRatio: ratio === null ? null : roundFraction(ratio, PLACES),
  };
}

function passes({ direction, minPrice, minVolume }: MoverFilter) {
  return ({ priceChange, close, volume }: Mover<MoverCandidate>): boolean => {
    const isDown = priceChange.startsWith('-');
    if (direction !== undefined && isDown !== (direction === 'down')) return false;
    if (minPrice !== undefined && compareDecimals(close, minPrice) < 0) return false;
    return minVolume === undefined || (volume !== null && volume >= minVolume);
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
