import { addDays, daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { SplitRatio } from '../../domain/share-splits.ts';
import type { ToldSplit } from '../splits/current-splits.ts';
import type { KnownSplit } from './share-basis.ts';

/** A split of the same ratio told this near to the filings that reveal one is that one. */
const SAME_SPLIT_DAYS_MAX = 7;
/** Ratios in less round numbers take a spin-off out of prices: the shares stay as many. */
const ROUND_TERM_MAX = 20;

/**
 * The splits of a company up to today, oldest first: those that its filings reveal between two of
 * them, and those that prices and lists tell with their day. What filings reveal is all that came
 * between these two; the telling of it gives the day when its product is the same, and is not
 * counted beside it.
 */
export function combineSplits(
  filed: readonly KnownSplit[],
  told: readonly ToldSplit[],
  today: LocalDate,
): KnownSplit[] {
  const dated = told.filter((split) => split.date <= today && isOfShares(split)).map(toKnown);
  const taken = new Set<KnownSplit>();
  const united = filed.flatMap((split) => {
    const within = dated.filter(({ date }) => split.after < date && date <= split.date);
    const near = dated.filter((other) => isSame(other.ratio, split.ratio) && isNear(other, split));
    for (const other of [...within, ...near]) taken.add(other);
    return within.length > 0 && isSame(productOf(within), split.ratio) ? within : [split];
  });
  return [...united, ...dated.filter((split) => !taken.has(split))].toSorted((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
  );
}

function toKnown(split: ToldSplit): KnownSplit {
  const { date, numerator, denominator, provider, feed, seenAt } = split;
  return {
    date,
    after: addDays(date, -1),
    ratio: { numerator, denominator },
    source: { provider, feed, seenAt },
  };
}

function isOfShares({ numerator, denominator }: SplitRatio): boolean {
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
