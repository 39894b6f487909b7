import { compareText } from '../../platform/compare.ts';

/**
 * Returns JSON text with sorted keys. Equal values have equal text, so that values can be compared
 * by hash. NUL and lone surrogates, which the database cannot store in text, become U+FFFD.
 * Undefined properties are omitted. Throws for numbers that are not finite.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value));
}

/** Returns the value with sorted keys and storable text. */
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
