import type { Instant } from '../../platform/instant.ts';
import { daysBetween, type LocalDate } from '../../domain/local-date.ts';

/** A split as one source tells it, and since when. */
export interface ToldSplit {
  seenAt: Instant;
  date: LocalDate;
  provider: string;
  feed: string;
  numerator: number;
  denominator: number;
}

/** One ratio that is dated this near to another day is of one split: nobody splits so twice a week. */
const SAME_SPLIT_DAYS_MAX = 7;

/**
 * The splits that stand, oldest first. The operator's files are believed before the splits that
 * lists of prices show, and of one source its newer word: a day that it corrected begins a new
 * thread. A day has one split, and one ratio is not told twice within a week.
 */
export function standingSplits<Split extends ToldSplit>(told: readonly Split[]): Split[] {
  const stand: Split[] = [];
  for (const split of told.toSorted(byPrecedence)) {
    if (!stand.some((other) => isSame(split, other))) stand.push(split);
  }
  return stand.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

function isSame(split: ToldSplit, other: ToldSplit): boolean {
  if (split.date === other.date) return true;
  return (
    Math.abs(daysBetween(split.date, other.date)) <= SAME_SPLIT_DAYS_MAX &&
    split.numerator * other.denominator === other.numerator * split.denominator
  );
}

function byPrecedence(a: ToldSplit, b: ToldSplit): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return b.seenAt - a.seenAt || (a.date < b.date ? -1 : 1);
}

/** Files first; then by name, so that the order is total. */
function rankOf({ provider, feed }: ToldSplit): string {
  return `${provider === 'files' ? 0 : 1} ${provider} ${feed}`;
}
