/**
 * The rows of a response body, in order. A body is a list of rows, an object with lists of rows
 * (such as a calendar day), a list of such objects, an object without rows, or text.
 */
export interface AnswerRows {
  /** Number of rows in each list of each object, for objects with lists; otherwise null. */
  counts: readonly Readonly<Record<string, number>>[] | null;
  rows: readonly AnswerRow[];
  /** Rebuilds a body from a part of the rows. */
  render(part: readonly AnswerRow[]): unknown;
}

export interface AnswerRow {
  /** Index of the object that contains the row. */
  object: number;
  /** Name of the list in that object; null for the object itself. */
  list: string | null;
  value: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Splits text into lines. */
export function linesOf(text: string): AnswerRows {
  const rows = text
    .trimEnd()
    .split(/\r?\n/)
    .map((value) => ({ object: 0, list: null, value }));
  return { counts: null, rows, render: (part) => part.map(({ value }) => value).join('\n') };
}

/**
 * Splits a JSON body. `buckets` are the names of lists of rows inside an object. An object without
 * such names, such as a profile, is one row, unless the body is too long for an answer. Then each
 * of its lists of objects is split.
 */
export function rowsOf(
  body: unknown,
  { buckets, isLong }: { buckets: readonly string[] | undefined; isLong: boolean },
): AnswerRows {
  if (!Array.isArray(body)) {
    const isOneRow = buckets === undefined && !isLong;
    return rowsOfObjects([body], isOneRow ? [] : buckets, (objects) => objects[0] ?? {});
  }
  if (buckets !== undefined) return rowsOfObjects(body, buckets, (objects) => objects);
  const rows = body.map((value: unknown) => ({ object: 0, list: null, value }));
  return { counts: null, rows, render: (part) => part.map(({ value }) => value) };
}

function rowsOfObjects(
  objects: readonly unknown[],
  buckets: readonly string[] | undefined,
  combine: (rendered: readonly unknown[]) => unknown,
): AnswerRows {
  const split = objects.map((value) => splitObject(value, buckets));
  const rows = split.flatMap(({ lists, members }, object): AnswerRow[] => {
    const inLists = Object.entries(lists).flatMap(([list, values]) =>
      values.map((value) => ({ object, list, value })),
    );
    return inLists.length > 0 ? inLists : [{ object, list: null, value: members }];
  });
  const hasLists = split.some(({ lists }) => Object.keys(lists).length > 0);

  function render(part: readonly AnswerRow[]): unknown {
    const byObject = Map.groupBy(part, ({ object }) => object);
    return combine([...byObject].map(([object, own]) => renderObject(split[object], own)));
  }

  const counts = split.map(({ lists }) =>
    Object.fromEntries(Object.entries(lists).map(([list, values]) => [list, values.length])),
  );
  return { counts: hasLists ? counts : null, rows, render };
}

interface SplitObject {
  members: Members;
  lists: Readonly<Record<string, readonly unknown[]>>;
}

function splitObject(value: unknown, buckets: readonly string[] | undefined): SplitObject {
  if (!isObject(value)) return { members: { value }, lists: {} };
  const isList = (name: string, member: unknown): member is unknown[] =>
    Array.isArray(member) &&
    (buckets?.includes(name) ?? (member.length > 0 && member.every(isObject)));
  const members: Record<string, unknown> = {};
  const lists: Record<string, unknown[]> = {};
  for (const [name, member] of Object.entries(value)) {
    if (isList(name, member)) lists[name] = member;
    else members[name] = member;
  }
  return { members, lists };
}

/** A row without a list is the object itself, which may have been reduced to some fields. */
function renderObject(split: SplitObject | undefined, rows: readonly AnswerRow[]): Members {
  const [first] = rows;
  if (first === undefined || first.list === null) return (first?.value ?? {}) as Members;
  const lists = Map.groupBy(rows, ({ list }) => list ?? '');
  const shown = [...lists].map(([list, own]) => [list, own.map(({ value }) => value)]);
  return { ...split?.members, ...(Object.fromEntries(shown) as Members) };
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
