import type { Instant } from '../../platform/instant.ts';

/** A complete list for one day, captured at an instant. */
export interface Listing {
  at: Instant;
  /** Number of rows that the list had for the day. */
  rows: number;
}

/**
 * Minimum time between a row's last observation and its withdrawal. Lists for other days are
 * fetched once a night, so a row seen more recently may have moved to a different day whose list
 * has not been fetched yet.
 */
const ABSENT_MS_MIN = 20 * 3_600_000;
/**
 * Minimum time between two lists without the row. After a pause, a day may be fetched twice within
 * minutes, before the day that the row has moved to is fetched. A source outage would also affect
 * both fetches.
 */
const APART_MS_MIN = 2 * 3_600_000;
/**
 * A list that shrank below this fraction was probably truncated. Its missing rows remain current.
 */
const COMPLETE_SHARE_MIN = 0.5;
/**
 * Minimum number of rows for the truncation check, because a day with fewer rows may well lose most
 * of them.
 */
const ROWS_MIN = 10;

/**
 * Returns the time when a row last seen at `lastAt` was withdrawn: that of the first complete list
 * without it that is at least two hours after the first such list, and twenty hours after the row
 * was last seen. Null if it was not withdrawn. `listings` are the lists for the row's feed and day,
 * oldest first.
 */
export function withdrawnAt(lastAt: Instant, listings: readonly Listing[]): Instant | null {
  const rowsBefore = listings.find(({ at }) => at === lastAt)?.rows ?? 0;
  const without = listings.filter(({ at, rows }) => at > lastAt && isComplete(rows, rowsBefore));
  const [first] = without;
  if (first === undefined) return null;
  const from = Math.max(first.at + APART_MS_MIN, lastAt + ABSENT_MS_MIN);
  return without.find(({ at }) => at >= from)?.at ?? null;
}

function isComplete(rows: number, rowsBefore: number): boolean {
  return rowsBefore < ROWS_MIN || rows >= rowsBefore * COMPLETE_SHARE_MIN;
}
