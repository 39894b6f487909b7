/** Orders texts by code units, the same in every locale. For `sort` and `toSorted`. */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders rows by one text of each. */
export function compareBy<T>(textOf: (row: T) => string): (a: T, b: T) => -1 | 0 | 1 {
  return (a, b) => compareText(textOf(a), textOf(b));
}
