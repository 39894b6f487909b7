import { compareDecimals, type Decimal, decimalToNumber } from './decimal.ts';
import type { SplitRatio } from './share-splits.ts';

/** Splits that are not whole numbers of shares: 3 for 2, and the like. */
const BROKEN: readonly SplitRatio[] = [
  { numerator: 3, denominator: 2 },
  { numerator: 4, denominator: 3 },
  { numerator: 5, denominator: 2 },
  { numerator: 5, denominator: 4 },
];
const RATIO_MAX = 1000;
/** Closer to 1 it may be a dividend, and no split worth the name is. */
const OFF_MIN = 0.15;
/** Sources give the adjusted close to four decimals, and err by the last. */
const SLACK = 0.0006;
/** Below a dollar the close itself is rounded to four decimals. */
const PENNY_SLACK = 0.00005;

/**
 * The split between two sessions, from the close of the first as it was traded and as the second
 * tells it; null when there is none. A spin-off takes a part of the price too, but one that is only
 * by chance a simple fraction to the fourth decimal, and a dividend takes less than 15 %.
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
