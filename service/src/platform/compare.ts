/**
 * Compares texts by UTF-16 code units, so the result is the same in every locale. Intended for
 * `sort` and `toSorted`.
 */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a function that compares rows by the text that `textOf` returns for each row. */
export function compareBy<T>(textOf: (row: T) => string): (a: T, b: T) => -1 | 0 | 1 {
  return (a, b) => compareText(textOf(a), textOf(b));
}
