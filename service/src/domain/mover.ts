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

/** An event of a day that has passed, or that is reported, and the bars around it. */
export interface MoverCandidate extends Release {
  /** Whether results or a filing prove it. Volume tells the session of no other. */
  isReported: boolean;
  /** Of the event; orders two reports of one company. */
  id: string;
  symbol: string;
  /** As `PriceData.bars`; none when the company has no prices. */
  bars: readonly AdjustedBar[];
}

export interface MoverFilter {
  direction?: 'up' | 'down';
  /** Of the close. */
  minPrice?: Decimal;
  minVolume?: number;
}

export interface Movers<Candidate extends MoverCandidate> {
  /** Companies whose first reaction day is the date, whether they moved or not. */
  totalReported: number;
  /** Those of them whose day is only assumed; they are left out of `movers`. */
  unknownSession: number;
  /** Those whose day is known and whose move is not, for want of either close: left out too. */
  withoutPrices: number;
  /** Whether the session after can no longer tell that another report was answered on the date. */
  isSettled: boolean;
  movers: Mover<Candidate>[];
}

export interface Mover<Candidate extends MoverCandidate> {
  candidate: Candidate;
  /** Percent, 4 decimals, half away from zero; never under the threshold before rounding. */
  priceChange: Decimal;
  close: Decimal;
  volume: number | null;
  basePrice: Decimal;
  baseDate: LocalDate;
  reactionBasis: ReactionBasis;
  gapChange: Decimal | null;
  /** Volume against the mean of the 20 sessions that end on `baseDate`. */
  volumeRatio: Decimal | null;
}

/** Percent, up or down. */
const MOVER_THRESHOLD: Decimal = '5';

/** Sessions without a bar between base and first; a change over more is drift, not an answer. */
const SESSIONS_BETWEEN_MAX = 5;

const PLACES = 4;
const THRESHOLD = fractionOf(MOVER_THRESHOLD);

interface Placed<Candidate extends MoverCandidate> {
  candidate: Candidate;
  window: ReactionWindow;
}

interface Measured<Candidate extends MoverCandidate> extends Placed<Candidate> {
  base: AdjustedBar;
  first: AdjustedBar;
  change: Fraction;
}

/**
 * The companies that moved by 5 % or more, close against the last close before the news, on the
 * first session after it: largest move first, then by symbol. The threshold is tested on the exact
 * move: from 1.60 to 1.68 counts. A company with several reports counts once, by the one whose
 * session is known best, then the newest. The bar of `date` itself may be unfinished.
 * Of the companies counted each is in one of three: session unknown, without prices, or measured.
 */
export function deriveMovers<Candidate extends MoverCandidate>(
  candidates: readonly Candidate[],
  date: LocalDate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
  filter: MoverFilter = {},
): Movers<Candidate> {
  const placed = candidates
    .map((candidate) => place(candidate, calendar, lastCompletedSession))
    .filter(({ window }) => window.firstReactionDate === date);
  const reported = onePerCompany(placed);
  const known = reported.filter(({ window }) => window.reactionBasis !== 'assumed');
  const measured = known.flatMap((one) => measure(one, calendar) ?? []);
  const moved = measured
    .filter(({ change }) => compareFractions(absoluteFraction(change), THRESHOLD) >= 0)
    .toSorted(
      (a, b) =>
        compareFractions(absoluteFraction(b.change), absoluteFraction(a.change)) ||
        compareText(a.candidate.symbol, b.candidate.symbol),
    );
  return {
    totalReported: reported.length,
    unknownSession: reported.length - known.length,
    withoutPrices: known.length - measured.length,
    isSettled: candidates.every((one) => isSettled(one, calendar, lastCompletedSession)),
    movers: moved.map((one) => renderMover(one, calendar)).filter(passes(filter)),
  };
}

function place<Candidate extends MoverCandidate>(
  candidate: Candidate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
): Placed<Candidate> {
  const prices: PriceData = { bars: candidate.bars, lastCompletedSession };
  const infers = candidate.isReported;
  return { candidate, window: reactionWindow(candidate, calendar, prices, { infers }) };
}

/** Null where either close is not known, or they lie too far apart. */
function measure<Candidate extends MoverCandidate>(
  { candidate, window }: Placed<Candidate>,
  calendar: MarketCalendar,
): Measured<Candidate> | null {
  const { base, first } = window;
  if (base === null || first === null) return null;
  const between = calendar.tradingDaysBetween(base.date, first.date) - 1;
  if (between > SESSIONS_BETWEEN_MAX) return null;
  return { candidate, window, base, first, change: priceChangeOf(base, first) };
}

/** Moment or session are known, or both sessions that may have answered are over. */
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
  placed: readonly Placed<Candidate>[],
): Placed<Candidate>[] {
  const best = new Map<string, Placed<Candidate>>();
  for (const one of placed) {
    const { symbol } = one.candidate;
    const other = best.get(symbol);
    if (other === undefined || isBetter(one, other)) best.set(symbol, one);
  }
  return [...best.values()];
}

function isBetter(one: Placed<MoverCandidate>, other: Placed<MoverCandidate>): boolean {
  const byBasis = guessOf(one.window.reactionBasis) - guessOf(other.window.reactionBasis);
  if (byBasis !== 0) return byBasis < 0;
  const byDate = compareText(one.candidate.date, other.candidate.date);
  return byDate === 0 ? one.candidate.id < other.candidate.id : byDate > 0;
}

function guessOf(basis: ReactionBasis): number {
  return basis === 'assumed' ? 2 : basis === 'inferred' ? 1 : 0;
}

function renderMover<Candidate extends MoverCandidate>(
  { candidate, window, base, first, change }: Measured<Candidate>,
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
