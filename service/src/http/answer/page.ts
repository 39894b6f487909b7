import { fingerprint, readCursor, writeCursor } from './cursor.ts';

/** One page of an array, and what its headers say. */
export interface Page {
  rows: readonly unknown[];
  /** How many rows there are in all. */
  total: number;
  /** The cursor of the page after; null when this is the last. */
  next: string | null;
}

/**
 * Cuts a page out of all rows. A cursor finds its place by the row before it, so that a page after
 * a change begins where the last one ended; `limit` null: all that is left.
 *
 * Null when the cursor is none of ours, or the row before it is no longer there: to go on from a
 * place that is not known would leave rows out in silence.
 */
export function cutPage(
  all: readonly unknown[],
  asked: { limit: number | null; cursor: string | null },
): Page | null {
  const start = asked.cursor === null ? 0 : startAfter(all, asked.cursor);
  if (start === null) return null;
  const end = asked.limit === null ? all.length : Math.min(start + asked.limit, all.length);
  const rows = all.slice(start, end);
  return { rows, total: all.length, next: nextOf({ rows, end, total: all.length }) };
}

/** The page of an endpoint that cuts it itself: `rows` are those from `offset` on. */
export function pageOfPart(
  rows: readonly unknown[],
  part: { offset: number; total: number },
): Page {
  const end = part.offset + rows.length;
  return { rows, total: part.total, next: nextOf({ rows, end, total: part.total }) };
}

function nextOf(page: { rows: readonly unknown[]; end: number; total: number }): string | null {
  if (page.end >= page.total || page.rows.length === 0) return null;
  return writeCursor({ offset: page.end, after: fingerprint(page.rows.at(-1)) });
}

function startAfter(all: readonly unknown[], text: string): number | null {
  const cursor = readCursor(text);
  if (cursor === null) return null;
  const { offset, after } = cursor;
  const before = all[offset - 1];
  if (before !== undefined && fingerprint(before) === after) return offset;
  const moved = all.findIndex((row) => fingerprint(row) === after);
  return moved === -1 ? null : moved + 1;
}
