const ENTRIES_MAX = 10_000;

/** The same function of one text, which keeps what it last returned for each of many texts. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const computed = compute(text);
    if (cache.size >= ENTRIES_MAX) cache.clear();
    cache.set(text, computed);
    return computed;
  };
}
