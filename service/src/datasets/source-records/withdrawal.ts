import type { Instant } from '../../platform/instant.ts';

/** When a source listed everything that it knows of a day. */
export interface Listing {
  at: Instant;
  /** Rows that the list had of that day. */
  rows: number;
}

/**
 * Lists of other days are asked for once a night. Sooner than this after its last sight a row that
 * left its day may be found on another one.
 */
const ABSENT_MS_MIN = 20 * 3_600_000;
/**
 * After a pause a day is asked for twice within minutes, and the day that a row was put on after
 * both; and a source that is ill is so for both.
 */
const APART_MS_MIN = 2 * 3_600_000;
/** A list that shrank below this part of itself was more likely cut off: what it lacks still stands. */
const WHOLE_FROM = 0.5;
/** Days with fewer rows than this may well lose most of them. */
const KNOWN_MIN = 10;

/**
 * Since when a row is taken for withdrawn that was last seen at `lastAt`: since the whole list of its
 * day without it that came two hours after the first such one or later, and twenty after it was seen.
 * Null while it stands. `listings` are those of the row's feed and day, oldest first.
 */
export function withdrawnAt(lastAt: Instant, listings: readonly Listing[]): Instant | null {
  const rowsThen = listings.find(({ at }) => at === lastAt)?.rows ?? 0;
  const without = listings.filter(({ at, rows }) => at > lastAt && isWhole(rows, rowsThen));
  const [first] = without;
  if (first === undefined) return null;
  const from = Math.max(first.at + APART_MS_MIN, lastAt + ABSENT_MS_MIN);
  return without.find(({ at }) => at >= from)?.at ?? null;
}

function isWhole(rows: number, rowsThen: number): boolean {
  return rowsThen < KNOWN_MIN || rows >= rowsThen * WHOLE_FROM;
}
