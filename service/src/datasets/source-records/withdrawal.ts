import type { Instant } from '../../platform/instant.ts';

/** A complete list of one day, captured at an instant. */
export interface Listing {
  at: Instant;
  /** Number of rows that the list had for the day. */
  rows: number;
}

/**
 * Lists of other days are fetched once a night. A row missing for less than this since it was last
 * seen may have moved to another day.
 */
const ABSENT_MS_MIN = 20 * 3_600_000;
/**
 * After a pause a day is fetched twice within minutes, before the day that a row has moved to. An
 * outage of the source also affects both fetches.
 */
const APART_MS_MIN = 2 * 3_600_000;
/** A list that shrank below this share was probably truncated. Its missing rows remain current. */
const COMPLETE_SHARE_MIN = 0.5;
/** Days with fewer rows than this may well lose most of them. */
const ROWS_MIN = 10;

/**
 * When a row last seen at `lastAt` was withdrawn: at the first complete list without it at least
 * two hours after the first such list, and twenty hours after it was last seen. Null if it is not
 * withdrawn. `listings` are the lists of the row's feed and day, oldest first.
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
