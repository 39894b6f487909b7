import type { ListPart } from '../../endpoints/endpoint.ts';
import { fingerprint, readCursor, writeCursor } from './cursor.ts';

/** One page of a list, with the values for its response headers. */
export interface Page {
  rows: readonly unknown[];
  /** Number of rows in the full list. */
  total: number;
  /** Cursor for the next page; null on the last page. */
  next: string | null;
}

/**
 * Returns one page of a list. A cursor identifies the previous row, so the page continues after
 * that row even if the list has changed. If `limit` is null, the page contains all remaining rows.
 *
 * Returns null if the cursor is malformed or its row no longer exists, because continuing elsewhere
 * would silently skip rows. `rowKey` lists the members that identify rows without an `id`.
 */
export function paginate(
  list: readonly unknown[],
  options: { limit: number | null; cursor: string | null; rowKey?: readonly string[] | undefined },
): Page | null {
  const { rowKey } = options;
  const keys = rowKey === undefined ? list : list.map((row) => keyOf(row, rowKey));
  const start = startIndex(keys, options.cursor);
  if (start === null) return null;
  const end = options.limit === null ? list.length : Math.min(start + options.limit, list.length);
  const rows = list.slice(start, end);
  return { rows, total: list.length, next: nextCursor(keys, start, rows.length) };
}

function keyOf(row: unknown, names: readonly string[]): unknown[] {
  return names.map((name) => Reflect.get(row as object, name) as unknown);
}

/** Returns the page for an endpoint that paginates itself. `items` are those of the body. */
export function pageOfPart(items: readonly unknown[], part: ListPart): Page {
  const { rows, start, count = items.length } = part;
  return { rows: items, total: rows.length, next: nextCursor(rows, start, count) };
}

function nextCursor(rows: readonly unknown[], start: number, count: number): string | null {
  const end = start + count;
  if (end >= rows.length || count === 0) return null;
  return writeCursor({ offset: end, lastRow: fingerprint(rows[end - 1]) });
}

/**
 * Returns the index at which a cursor's page starts: after the cursor's row, wherever that row is
 * now. Returns null if the cursor is malformed or its row no longer exists.
 */
export function startIndex(rows: readonly unknown[], text: string | null): number | null {
  if (text === null) return 0;
  const cursor = readCursor(text);
  if (cursor === null) return null;
  const { offset, lastRow } = cursor;
  const previous = rows[offset - 1];
  if (previous !== undefined && fingerprint(previous) === lastRow) return offset;
  const movedIndex = rows.findIndex((row) => fingerprint(row) === lastRow);
  return movedIndex === -1 ? null : movedIndex + 1;
}
