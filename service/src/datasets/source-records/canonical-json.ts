/**
 * JSON text with sorted keys: equal values give equal text, so that hashes of it compare values.
 * What the store cannot hold in text is replaced: NUL and lone surrogates become U+FFFD. Properties
 * that are undefined are left out; numbers that are not finite throw.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value));
}

/** The value with sorted keys and storable text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('a number that is not finite');
    return value;
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), canonical(inner)]));
  }
  return value;
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
