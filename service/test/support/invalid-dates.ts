import type { ParseResult } from '../../src/providers/provider.ts';

const DAY = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

/** Returns the names of members whose texts are dates in all of these valid responses. */
export function findDateFields(valid: readonly ParseResult[]): Set<string> {
  const days = new Set<string>();
  const others = new Set<string>();
  for (const [key, value] of valid.flatMap(fieldsOf)) {
    if (typeof value === 'string') (DAY.test(value) ? days : others).add(key);
  }
  return new Set([...days].filter((key) => !others.has(key)));
}

/**
 * Returns invalid dates and dates outside 1900 to 2100, both in date members and in instants, whose
 * names end in `At`.
 */
export function findInvalidDates(parsed: ParseResult, days: ReadonlySet<string>): string[] {
  return fieldsOf(parsed).flatMap(([key, value]) => {
    if (typeof value === 'string' && days.has(key) && !isRealDay(value))
      return [`${key}: ${value}`];
    const isInstant = typeof value === 'number' && key.endsWith('At');
    return isInstant && !isInRange(value) ? [`${key}: ${value}`] : [];
  });
}

function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return DAY.test(text) && isInRange(at) && new Date(at).toISOString().startsWith(day);
}

function isInRange(at: number): boolean {
  return at >= Date.UTC(1900, 0, 1) && at < Date.UTC(2101, 0, 1);
}

/**
 * Returns all values in all rows, each with its member name. List elements get the name of their
 * list.
 */
function fieldsOf({ rows, bars }: ParseResult): [string, unknown][] {
  return [...rows.map(({ fields }) => fields), ...(bars?.rows ?? [])].flatMap((row) =>
    leavesOf('', row),
  );
}

function leavesOf(key: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(Array.isArray(value) ? key : name, inner),
  );
}
