import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import { rankOf } from '../precedence.ts';

/** A split with the date given by one source. */
export interface DatedSplit {
  /** Time since which the source has shown the split. */
  seenAt: Instant;
  date: LocalDate;
  provider: string;
  feed: string;
  numerator: number;
  denominator: number;
}

/**
 * Equal ratios at most this many days apart are considered one split. No company splits by the same
 * ratio twice in a week.
 */
const SAME_SPLIT_DAYS_MAX = 7;

/**
 * Returns the current splits, oldest first. Calendars of announced splits rank last, because their
 * dates are plans. Within one source the newer row wins, because a corrected date starts a new history. A day has one split, and equal ratios within a week are one split.
 */
export function currentSplits<Split extends DatedSplit>(splits: readonly Split[]): Split[] {
  const current: Split[] = [];
  for (const split of splits.toSorted(byPrecedence)) {
    if (!current.some((other) => isSame(split, other))) current.push(split);
  }
  return current.toSorted(compareBy(({ date }) => date));
}

function isSame(split: DatedSplit, other: DatedSplit): boolean {
  if (split.date === other.date) return true;
  return (
    Math.abs(daysBetween(split.date, other.date)) <= SAME_SPLIT_DAYS_MAX &&
    split.numerator * other.denominator === other.numerator * split.denominator
  );
}

function byPrecedence(a: DatedSplit, b: DatedSplit): number {
  return (
    rankOf('splits', a) - rankOf('splits', b) ||
    compareText(`${a.provider} ${a.feed}`, `${b.provider} ${b.feed}`) ||
    b.seenAt - a.seenAt ||
    compareText(a.date, b.date)
  );
}
