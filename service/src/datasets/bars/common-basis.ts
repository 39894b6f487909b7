import {
  type AdjustedBar,
  adjustForSplits,
  type DailyBar,
  type PriceSplit,
} from '../../domain/daily-bar.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy } from '../../platform/compare.ts';

/** A bar whose prices and volume are adjusted for splits up to a given day. */
export interface BasedBar extends DailyBar {
  basisDate: LocalDate;
}

/**
 * Puts the bars on the share basis of a day, oldest first. Splits between a bar's own basis and that
 * day are applied, or reversed if its source had already applied them.
 */
export function toCommonBasis(
  bars: readonly BasedBar[],
  splits: readonly PriceSplit[],
  basis: LocalDate,
): AdjustedBar[] {
  const ascending = splits.toSorted(compareBy(({ date }) => date));
  const applicable = ascending.filter(({ date }) => date <= basis);
  const reversible = ascending.filter(({ date }) => date > basis).map(inverse);
  const groups = Map.groupBy(bars, ({ date, basisDate }) => {
    const own = basisDate > date ? basisDate : date;
    return own <= basis
      ? applicable.filter((split) => split.date > own).length
      : -reversible.filter((split) => split.date <= own).length;
  });
  return [...groups]
    .flatMap(([count, group]) => {
      const change =
        count < 0 ? reversible.slice(0, -count) : applicable.slice(applicable.length - count);
      return adjustForSplits(group, change);
    })
    .toSorted(compareBy(({ date }) => date));
}

function inverse({ date, ratio: { numerator, denominator } }: PriceSplit): PriceSplit {
  return { date, ratio: { numerator: denominator, denominator: numerator } };
}
