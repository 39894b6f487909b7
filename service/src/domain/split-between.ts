import { compareDecimals, type Decimal, decimalToNumber } from './decimal.ts';
import type { SplitRatio } from './share-splits.ts';

/** Splits that don't give whole numbers of shares, such as 3 for 2. */
const BROKEN: readonly SplitRatio[] = [
  { numerator: 3, denominator: 2 },
  { numerator: 4, denominator: 3 },
  { numerator: 5, denominator: 2 },
  { numerator: 5, denominator: 4 },
];
const RATIO_MAX = 1000;
/** A ratio closer to 1 may be a dividend, and no real split is that small. */
const OFF_MIN = 0.15;
/** Sources give the adjusted close to four decimals, with an error in the last. */
const SLACK = 0.0006;
/** Below a dollar the close itself is rounded to four decimals. */
const PENNY_SLACK = 0.00005;

/**
 * The split between two sessions, from the first close as traded and as the second session reports
 * it. Null if there is none. A spin-off reduces the price too, but matches a simple fraction to the
 * fourth decimal only by chance, and a dividend takes less than 15 %.
 */
export function splitBetween(close: Decimal, previousClose: Decimal): SplitRatio | null {
  if (compareDecimals(close, '0') <= 0 || compareDecimals(previousClose, '0') <= 0) return null;
  const before = decimalToNumber(close);
  const after = decimalToNumber(previousClose);
  if (Math.abs(after / before - 1) <= OFF_MIN) return null;
  const forward = { numerator: Math.round(before / after), denominator: 1 };
  const reverse = { numerator: 1, denominator: Math.round(after / before) };
  const usual = after < before ? [forward, ...BROKEN] : [reverse];
  return usual.find((ratio) => fits(before, after, ratio)) ?? null;
}

function fits(before: number, after: number, { numerator, denominator }: SplitRatio): boolean {
  const larger = Math.max(numerator, denominator);
  if (larger < 2 || larger > RATIO_MAX) return false;
  const factor = denominator / numerator;
  const slack = SLACK + (before < 1 ? PENNY_SLACK * factor : 0);
  return Math.abs(after - before * factor) <= slack;
}
