import {
  type AdjustedBar,
  adjustForSplits,
  type DailyBar,
  type PriceSplit,
} from '../../domain/daily-bar.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';

/** A bar whose prices and volume are adjusted for splits up to a given day. */
export interface BasedBar extends DailyBar {
  basisDate: LocalDate;
}

/**
 * Puts the bars on the share basis of the newest split, oldest first. Each bar is adjusted only for
 * splits after its own basis date, so a bar already adjusted by its source is not adjusted twice.
 */
export function toCommonBasis(
  bars: readonly BasedBar[],
  splits: readonly PriceSplit[],
): AdjustedBar[] {
  const groups = Map.groupBy(bars, ({ date, basisDate }) => {
    const basis = basisDate > date ? basisDate : date;
    return splits.filter((split) => split.date > basis).length;
  });
  const newestFirst = splits.toSorted((a, b) => compareText(b.date, a.date));
  return [...groups]
    .flatMap(([count, group]) => adjustForSplits(group, newestFirst.slice(0, count)))
    .toSorted(compareBy(({ date }) => date));
}
