/** A `name=value` pair in a query. `value` is null if its percent-encoding is invalid. */
export interface QueryPair {
  name: string;
  value: string | null;
}

/**
 * Splits a query (without `?`) as form data: `+` represents a space, and names may be encoded as
 * well.
 */
export function splitQuery(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? '' : part.slice(equals + 1);
    pairs.push({ name: decode(plusToSpace(name)) ?? name, value: decode(plusToSpace(value)) });
  }
  return pairs;
}

/** Decodes percent-encoding. Returns null if it is invalid or not UTF-8. */
export function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function plusToSpace(text: string): string {
  return text.includes('+') ? text.replaceAll('+', ' ') : text;
}
