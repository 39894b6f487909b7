import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';

/** A split as one source dates it. */
export interface DatedSplit {
  /** Since when the source has shown it. */
  seenAt: Instant;
  date: LocalDate;
  provider: string;
  feed: string;
  numerator: number;
  denominator: number;
}

/** Equal ratios this close together are one split. No company splits like that twice a week. */
const SAME_SPLIT_DAYS_MAX = 7;

/**
 * The current splits, oldest first. An operator's files win over the splits of price lists, and
 * within one source the newer row wins, because a corrected date starts a new history. A day has
 * one split, and equal ratios within a week are one split.
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
  return compareText(rankOf(a), rankOf(b)) || b.seenAt - a.seenAt || compareText(a.date, b.date);
}

/** Files first, then by name to make the order total. */
function rankOf({ provider, feed }: DatedSplit): string {
  return `${provider === 'files' ? 0 : 1} ${provider} ${feed}`;
}
