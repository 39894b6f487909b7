/**
 * Compares texts by code units, with the same result in every locale. For `sort` and `toSorted`.
 */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a function that compares rows by one text in each row. */
export function compareBy<T>(textOf: (row: T) => string): (a: T, b: T) => -1 | 0 | 1 {
  return (a, b) => compareText(textOf(a), textOf(b));
}
