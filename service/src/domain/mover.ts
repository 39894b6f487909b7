import { meanVolume, volumeRatio } from './average-volume.ts';
import type { AdjustedBar } from './daily-bar.ts';
import { compareDecimals } from './decimal.ts';
import type { Decimal } from './decimal.ts';
import { ZERO, absoluteFraction, compareFractions, fractionOf, roundFraction } from './fraction.ts';
import type { Fraction } from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { MarketCalendar } from './market/calendar.ts';
import { gapChangeOf, priceChangeOf, reactionWindow } from './reaction.ts';
import type { PriceData, ReactionWindow } from './reaction.ts';
import type { ReactionBasis, Release } from './release-window.ts';

/** A reported event and the bars around it. */
export interface MoverCandidate extends Release {
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

const PLACES = 4;
const THRESHOLD = fractionOf(MOVER_THRESHOLD);

interface Measured<Candidate extends MoverCandidate> {
  candidate: Candidate;
  window: ReactionWindow;
}

/**
 * The companies that moved by 5 % or more, close against the last close before the news, on the
 * first session after it: largest move first, then by symbol. The threshold is tested on the exact
 * move: from 1.60 to 1.68 counts. A company with several reports counts once, by the one whose
 * session is known best, then the newest. The bar of `date` itself may be unfinished.
 */
export function deriveMovers<Candidate extends MoverCandidate>(
  candidates: readonly Candidate[],
  date: LocalDate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
  filter: MoverFilter = {},
): Movers<Candidate> {
  const measured = candidates
    .map((candidate) => measure(candidate, calendar, lastCompletedSession))
    .filter(({ window }) => window.firstReactionDate === date);
  const reported = onePerCompany(measured);
  const known = reported.filter(({ window }) => window.reactionBasis !== 'assumed');
  const moved = known
    .map((one) => ({ ...one, change: changeOf(one) }))
    .filter(({ change }) => compareFractions(absoluteFraction(change), THRESHOLD) >= 0)
    .toSorted(
      (a, b) =>
        compareFractions(absoluteFraction(b.change), absoluteFraction(a.change)) ||
        compareText(a.candidate.symbol, b.candidate.symbol),
    );
  return {
    totalReported: reported.length,
    unknownSession: reported.length - known.length,
    movers: moved.flatMap((one) => renderMover(one, calendar)).filter(passes(filter)),
  };
}

function measure<Candidate extends MoverCandidate>(
  candidate: Candidate,
  calendar: MarketCalendar,
  lastCompletedSession: LocalDate,
): Measured<Candidate> {
  const prices: PriceData = { bars: candidate.bars, lastCompletedSession };
  return { candidate, window: reactionWindow(candidate, calendar, prices) };
}

function onePerCompany<Candidate extends MoverCandidate>(
  measured: readonly Measured<Candidate>[],
): Measured<Candidate>[] {
  const best = new Map<string, Measured<Candidate>>();
  for (const one of measured) {
    const { symbol } = one.candidate;
    const other = best.get(symbol);
    if (other === undefined || isBetter(one, other)) best.set(symbol, one);
  }
  return [...best.values()];
}

function isBetter(one: Measured<MoverCandidate>, other: Measured<MoverCandidate>): boolean {
  const byBasis = guessOf(one.window.reactionBasis) - guessOf(other.window.reactionBasis);
  if (byBasis !== 0) return byBasis < 0;
  const byDate = compareText(one.candidate.date, other.candidate.date);
  return byDate === 0 ? one.candidate.id < other.candidate.id : byDate > 0;
}

function guessOf(basis: ReactionBasis): number {
  return basis === 'assumed' ? 2 : basis === 'inferred' ? 1 : 0;
}

/** Zero where nothing can be measured. */
function changeOf({ window: { base, first } }: Measured<MoverCandidate>): Fraction {
  return base === null || first === null ? ZERO : priceChangeOf(base, first);
}

function renderMover<Candidate extends MoverCandidate>(
  { candidate, window, change }: Measured<Candidate> & { change: Fraction },
  calendar: MarketCalendar,
): Mover<Candidate>[] {
  const { base, first, reactionBasis } = window;
  if (base === null || first === null) return [];
  const gap = gapChangeOf(base, first);
  const ratio = volumeRatio(first, meanVolume(candidate.bars, calendar, base.date));
  return [
    {
      candidate,
      priceChange: roundFraction(change, PLACES),
      close: first.close,
      volume: first.volume,
      basePrice: base.close,
      baseDate: base.date,
      reactionBasis,
      gapChange: gap === null ? null : roundFraction(gap, PLACES),
      volumeRatio: ratio === null ? null : roundFraction(ratio, PLACES),
    },
  ];
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
