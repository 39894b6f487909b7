import { compareDecimals, type Decimal, decimalToNumber } from './decimal.ts';
import type { SplitRatio } from './share-splits.ts';

/** Ratios that aren't a whole number of new shares per old share, such as 3 for 2. */
const BROKEN: readonly SplitRatio[] = [
  { numerator: 3, denominator: 2 },
  { numerator: 4, denominator: 3 },
  { numerator: 5, denominator: 2 },
  { numerator: 5, denominator: 4 },
];
const RATIO_MAX = 1000;
/**
 * Minimum relative change of the close that may be a split. A smaller change may be a dividend, and
 * no real split is that small.
 */
const OFF_MIN = 0.15;
/** Sources round the adjusted close to four decimals, with an error in the last digit. */
const SLACK = 0.0006;
/** Below one dollar, the close itself is rounded to four decimals. */
const PENNY_SLACK = 0.00005;
/**
 * Maximum slack relative to the adjusted close. At a price of a cent or two, the slack is so large
 * that any move would match some ratio.
 */
const RELATIVE_SLACK_MAX = 0.01;

/**
 * Returns the split between two consecutive sessions. `close` is the first session's close as
 * traded; `previousClose` is the same close as the second session reports it. Returns null if there
 * is no split. A spin-off also reduces the price, but matches a simple fraction to the fourth
 * decimal only by chance, and a dividend reduces it by less than 15 %.
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
  return slack <= after * RELATIVE_SLACK_MAX && Math.abs(after - before * factor) <= slack;
}
