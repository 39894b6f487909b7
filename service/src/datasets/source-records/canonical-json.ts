import { compareText } from '../../platform/compare.ts';

/**
 * JSON text with sorted keys: equal values have equal text, so that hashes of it compare values.
 * NUL and lone surrogates, which the store cannot hold in text, become U+FFFD. Undefined properties
 * are left out. Numbers that are not finite throw.
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
    entries.sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), canonical(inner)]));
  }
  return value;
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
