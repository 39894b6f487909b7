import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';

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
 * Returns the current splits, oldest first. An operator's files take precedence over the splits in
 * price lists, those over calendars, and within one source the newer row wins, because a corrected date starts a new
 * history. A day has one split, and equal ratios within a week are one split.
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

/** Calendars of announced splits, whose dates are plans. Prices and charts show the actual day. */
const ANNOUNCED: readonly string[] = ['nasdaq/calendar-splits'];

/** Ranks files first and calendars last, then orders by name, so that the order is unambiguous. */
function rankOf({ provider, feed }: DatedSplit): string {
  const isAnnounced = ANNOUNCED.includes(`${provider}/${feed}`);
  return `${provider === 'files' ? 0 : isAnnounced ? 2 : 1} ${provider} ${feed}`;
}
