import type { Identified } from '../../endpoints/endpoint.ts';
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
 * place that is not known would leave rows out in silence. `rowKey` names the members by which rows
 * without an `id` are told apart, whatever else of them changes.
 */
export function paginate(
  all: readonly unknown[],
  asked: { limit: number | null; cursor: string | null; rowKey?: readonly string[] | undefined },
): Page | null {
  const { rowKey } = asked;
  const places = rowKey === undefined ? all : all.map((row) => membersOf(row, rowKey));
  const start = startIndex(places, asked.cursor);
  if (start === null) return null;
  const end = asked.limit === null ? all.length : Math.min(start + asked.limit, all.length);
  const rows = all.slice(start, end);
  return { rows, total: all.length, next: nextCursor(places, start, rows.length) };
}

function membersOf(row: unknown, names: readonly string[]): unknown[] {
  return names.map((name) => Reflect.get(row as object, name) as unknown);
}

/** The page of an endpoint that cuts it itself: `rows` show those of the part from its start on. */
export function pageOfSlice(
  rows: readonly unknown[],
  part: { of: readonly Identified[]; start: number },
): Page {
  return { rows, total: part.of.length, next: nextCursor(part.of, part.start, rows.length) };
}

function nextCursor(all: readonly unknown[], start: number, count: number): string | null {
  const end = start + count;
  if (end >= all.length || count === 0) return null;
  return writeCursor({ offset: end, after: fingerprint(all[end - 1]) });
}

/** Where the page of a cursor begins: after the row before it, wherever that is now. */
export function startIndex(all: readonly unknown[], text: string | null): number | null {
  if (text === null) return 0;
  const cursor = readCursor(text);
  if (cursor === null) return null;
  const { offset, after } = cursor;
  const before = all[offset - 1];
  if (before !== undefined && fingerprint(before) === after) return offset;
  const moved = all.findIndex((row) => fingerprint(row) === after);
  return moved === -1 ? null : moved + 1;
}
