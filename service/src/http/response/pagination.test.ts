import { expect, test } from 'vitest';
import { paginate } from './pagination.ts';
import { writeCursor } from './cursor.ts';

const rows = Array.from({ length: 10 }, (_, i) => ({ id: `r${i}`, value: i }));

/** Fetches all pages. `change` modifies the list after the first page has been fetched. */
function walk(limit: number, change: (all: typeof rows) => typeof rows = (all) => all): string[] {
  const ids: string[] = [];
  let all = rows;
  let cursor: string | null = null;
  do {
    const page = paginate(all, { limit, cursor });
    if (page === null) throw new Error('lost');
    ids.push(...(page.rows as typeof rows).map(({ id }) => id));
    cursor = page.next;
    if (all === rows) all = change(rows);
  } while (cursor !== null);
  return ids;
}

test.each([1, 3, 5, 9, 10, 11])(
  'returns each row exactly once across pages of %s rows',
  (limit) => {
    expect(walk(limit)).toEqual(rows.map(({ id }) => id));
  },
);

test('continues after the same row when earlier rows are added or removed between pages', () => {
  const all = rows.map(({ id }) => id);
  expect(walk(4, (list) => [{ id: 'new', value: -1 }, ...list])).toEqual(all);
  expect(walk(4, (list) => list.slice(2))).toEqual(all);
  const changed = walk(4, (list) => list.map((row) => ({ ...row, value: row.value + 1 })));
  expect(changed).toEqual(all);
});

test('finds the next page for rows without an ID by their key, regardless of other changes', () => {
  const days = rows.map(({ value }) => ({ date: `2026-11-1${value}`, reports: value }));
  const options = { limit: 4, rowKey: ['date'] };
  const cursor = paginate(days, { ...options, cursor: null })?.next ?? '';
  const changed = days.map((day) => ({ ...day, reports: day.reports + 1 }));
  const second = paginate(changed.slice(1), { ...options, cursor });
  expect(second).toMatchObject({ rows: changed.slice(4, 8), total: 9 });
  expect(paginate(changed.toSpliced(3, 1), { ...options, cursor })).toBeNull();
});

test('returns all remaining rows if there is no limit', () => {
  const complete = paginate(rows, { limit: null, cursor: null });
  expect(complete).toMatchObject({ total: 10, next: null });
  const cursor = paginate(rows, { limit: 4, cursor: null })?.next ?? '';
  expect(paginate(rows, { limit: null, cursor })).toMatchObject({
    rows: rows.slice(4),
    next: null,
  });
});

test('returns null for a malformed cursor and for a cursor whose row no longer exists', () => {
  const cursor = paginate(rows, { limit: 4, cursor: null })?.next ?? '';
  expect(
    paginate(
      rows.filter(({ id }) => id !== 'r3'),
      { limit: 4, cursor },
    ),
  ).toBeNull();
  expect(paginate(rows, { limit: 4, cursor: 'bm9wZQ' })).toBeNull();
  expect(
    paginate(rows, { limit: 4, cursor: writeCursor({ offset: 0, lastRow: 'f'.repeat(16) }) }),
  ).toBeNull();
});
