import { type Decimal, decimalFromNumber } from './decimal.ts';
import { type Fraction, fractionOf, multiplyFractions, roundFraction } from './fraction.ts';
import type { LocalDate } from './local-date.ts';
import type { ShareSplit, SplitRatio } from './share-splits.ts';

/**
 * One regular session for one security, as traded. Prices are in currency units, volume in shares.
 */
export interface DailyBar {
  date: LocalDate;
  /** Null if a source provides only closing prices. */
  open: Decimal | null;
  high: Decimal | null;
  low: Decimal | null;
  close: Decimal;
  volume: number | null;
}

/** A split by which prices are adjusted. `date` is the first session on the new basis. */
export type PriceSplit = Pick<ShareSplit, 'date' | 'ratio'>;

/**
 * A bar in today's shares. The prices are for display, with up to 6 decimals, and the volume is in
 * whole shares. `exact` contains the unrounded values for comparisons and percentages.
 */
export interface AdjustedBar extends DailyBar {
  readonly exact: ExactBar;
}

export interface ExactBar {
  readonly open: Fraction | null;
  readonly close: Fraction;
  readonly volume: Fraction | null;
}

const SHOWN_PLACES = 6;
const SAME: Fraction = { numerator: 1n, denominator: 1n };

/**
 * Adjusts bars, oldest first, to today's share basis. Prices before a split are divided by its
 * ratio and volumes are multiplied by it. Dividends are not adjusted for. Drops prices that aren't
 * positive, bars without a positive close, and volumes that are negative or infinite. Throws a
 * RangeError if two bars have the same day, or if a ratio doesn't consist of two positive integers.
 */
export function adjustForSplits(
  bars: readonly DailyBar[],
  splits: readonly PriceSplit[],
): AdjustedBar[] {
  const sorted = bars.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const adjusted: AdjustedBar[] = [];
  let previous: LocalDate | null = null;
  for (const bar of sorted) {
    if (bar.date === previous) throw new RangeError(`two bars of ${bar.date}`);
    previous = bar.date;
    const later = splits.filter((split) => split.date > bar.date);
    const inToday = adjustBar(bar, later);
    if (inToday !== null) adjusted.push(inToday);
  }
  return adjusted;
}

/** Returns the index of the last bar on or before the date, or -1 if there is none. */
export function lastIndexUpTo(bars: readonly DailyBar[], date: LocalDate): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const bar = bars[middle];
    if (bar !== undefined && bar.date <= date) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function adjustBar(bar: DailyBar, later: readonly PriceSplit[]): AdjustedBar | null {
  const shares = sharesNow(later);
  const close = exactPrice(bar.close, shares);
  if (close === null) return null;
  const open = exactPrice(bar.open, shares);
  const volume = exactVolume(bar.volume, shares);
  const isSplit = later.length > 0;
  const show = (price: Fraction | null, asTraded: Decimal | null): Decimal | null =>
    price !== null && isSplit ? roundFraction(price, SHOWN_PLACES) : price && asTraded;
  return {
    date: bar.date,
    open: show(open, bar.open),
    high: show(exactPrice(bar.high, shares), bar.high),
    low: show(exactPrice(bar.low, shares), bar.low),
    close: show(close, bar.close) ?? bar.close,
    volume: volume && Number(roundFraction(volume, 0)),
    exact: { open, close, volume },
  };
}

function exactPrice(price: Decimal | null, shares: Fraction): Fraction | null {
  if (price === null) return null;
  const exact = fractionOf(price);
  if (exact.numerator <= 0n) return null;
  return shares === SAME ? exact : multiplyFractions(exact, inverse(shares));
}

function exactVolume(volume: number | null, shares: Fraction): Fraction | null {
  if (volume === null || volume < 0) return null;
  if (Number.isSafeInteger(volume)) {
    return multiplyFractions({ numerator: BigInt(volume), denominator: 1n }, shares);
  }
  const text = decimalFromNumber(volume);
  return text === null ? null : multiplyFractions(fractionOf(text), shares);
}

/** Returns the number of today's shares that one share before these splits has become. */
function sharesNow(splits: readonly PriceSplit[]): Fraction {
  return splits.reduce((product, { ratio }) => multiplyFractions(product, read(ratio)), SAME);
}

function read({ numerator, denominator }: SplitRatio): Fraction {
  if (![numerator, denominator].every((part) => Number.isSafeInteger(part) && part > 0)) {
    throw new RangeError(`not a split ratio: ${numerator} for ${denominator}`);
  }
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function inverse({ numerator, denominator: divisor }: Fraction): Fraction {
  return { numerator: divisor, denominator: numerator };
}
