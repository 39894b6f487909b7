import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { SplitRatio } from '../../domain/share-splits.ts';
import { compareBy } from '../../platform/compare.ts';
import type { DatedSplit } from '../splits/current-splits.ts';
import type { KnownSplit } from './report-candidate.ts';

/**
 * A dated split with the ratio of a filed split is the same split if it is at most this many days
 * away.
 */
const SAME_SPLIT_DAYS_MAX = 7;
/**
 * Maximum for the smaller term of a split ratio in lowest terms. Ratios above it are price
 * adjustments for spin-offs, which leave the number of shares unchanged.
 */
const ROUND_TERM_MAX = 20;

/**
 * Combines a company's splits up to today, oldest first: filed splits, which are revealed by the
 * difference between two filings, and dated splits, which come from prices and lists. A filed split
 * is the product of all splits between its two filings. If the dated splits in that period have the
 * same product, they replace the filed split; otherwise they are ignored in favor of the filed
 * split.
 */
export function combineSplits(
  filed: readonly KnownSplit[],
  dated: readonly DatedSplit[],
  today: LocalDate,
): KnownSplit[] {
  const current = dated.filter((split) => split.date <= today && isShareSplit(split)).map(toKnown);
  const merged = new Set<KnownSplit>();
  const combined = filed.flatMap((split) => {
    const within = current.filter(({ date }) => split.after < date && date <= split.date);
    const near = current.filter(
      (other) => isSame(other.ratio, split.ratio) && isNear(other, split),
    );
    for (const other of [...within, ...near]) merged.add(other);
    return within.length > 0 && isSame(productOf(within), split.ratio) ? within : [split];
  });
  return [...combined, ...current.filter((split) => !merged.has(split))].toSorted(
    compareBy(({ date }) => date),
  );
}

function toKnown(split: DatedSplit): KnownSplit {
  const { date, numerator, denominator, provider, feed, seenAt } = split;
  return {
    date,
    after: addDays(date, -1),
    ratio: { numerator, denominator },
    source: { provider, feed, seenAt },
  };
}

function isShareSplit({ numerator, denominator }: SplitRatio): boolean {
  return Math.min(numerator, denominator) / commonDivisor(numerator, denominator) <= ROUND_TERM_MAX;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function isNear({ date }: KnownSplit, split: KnownSplit): boolean {
  return (
    daysBetween(date, split.after) <= SAME_SPLIT_DAYS_MAX &&
    daysBetween(split.date, date) <= SAME_SPLIT_DAYS_MAX
  );
}

function productOf(splits: readonly KnownSplit[]): SplitRatio {
  return splits.reduce(
    (product, { ratio }) => ({
      numerator: product.numerator * ratio.numerator,
      denominator: product.denominator * ratio.denominator,
    }),
    { numerator: 1, denominator: 1 },
  );
}

function isSame(a: SplitRatio, b: SplitRatio): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}
