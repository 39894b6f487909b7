import { daysBetween } from '../../domain/local-date.ts';
import type { LocalDate } from '../../domain/local-date.ts';

/** A split as one source tells it. */
export interface ToldSplit {
  date: LocalDate;
  provider: string;
  feed: string;
  numerator: number;
  denominator: number;
}

/** Two sources that date one ratio this near to each other tell of one split. */
const SAME_SPLIT_DAYS_MAX = 7;

/**
 * The splits that stand, oldest first. The operator's files are believed before the splits that
 * lists of prices show; a day has one split, and one ratio is not told twice within a week.
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
  if (split.provider === other.provider && split.feed === other.feed) return false;
  return (
    Math.abs(daysBetween(split.date, other.date)) <= SAME_SPLIT_DAYS_MAX &&
    split.numerator * other.denominator === other.numerator * split.denominator
  );
}

function byPrecedence(a: ToldSplit, b: ToldSplit): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Files first; then by name and day, so that the order is total. */
function rankOf({ provider, feed, date }: ToldSplit): string {
  return `${provider === 'files' ? 0 : 1} ${provider} ${feed} ${date}`;
}
