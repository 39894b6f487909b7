import type { RequestTarget } from './request-target.ts';

/**
 * Path and query as they came, for the log of a request that was refused for its form: whoever looks
 * it up wants to see what was sent. What names or holds a key, in any case and however often it is
 * encoded, is left out: a key that ended up in the wrong place is a key all the same.
 */
export function redactedUrl({
  urlWithoutKey: rest,
  endpoint,
}: Pick<RequestTarget, 'urlWithoutKey' | 'endpoint'>): string {
  const mark = rest.indexOf('?');
  const path = withoutKey(mark === -1 ? rest : rest.slice(0, mark)) ?? endpoint.path;
  if (mark === -1) return path;
  const pairs = rest.slice(mark + 1).split('&');
  const query = pairs.map(withoutKey).filter((pair) => pair !== null && pair !== '');
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The text with dots in place of what looks like a key. */
export function redactKeys(text: string): string {
  return text.replaceAll(LOOKS_LIKE_A_KEY, 'eds_…');
}

/** Null when a key is named, or is written so that it cannot be cut out. */
function withoutKey(text: string): string | null {
  const plain = decodedWholly(text);
  if (/apikey/i.test(plain)) return null;
  const masked = redactKeys(plain);
  if (masked === plain) return text;
  return plain === text ? masked : null;
}

/** Undoes percent-encoding, that of percent signs too; what is broken stays. */
function decodedWholly(text: string): string {
  return text.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

const LOOKS_LIKE_A_KEY = /eds_(?:live|test)_\w+/gi;
