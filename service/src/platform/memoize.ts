const ENTRIES_MAX = 10_000;

/** Memoizes a function that takes one string. Clears the cache when it reaches 10,000 entries. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const value = compute(text);
    if (cache.size >= ENTRIES_MAX) cache.clear();
    cache.set(text, value);
    return value;
  };
}
