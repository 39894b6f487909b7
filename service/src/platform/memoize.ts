const KEPT_MAX = 10_000;

/** The same function of one text, which keeps what it last returned for each of many texts. */
export function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const computed = compute(text);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(text, computed);
    return computed;
  };
}
