import type { RequestTarget } from './request-target.ts';

/**
 * Path and query as received, for the log entry of a rejected request. Parts that name or contain
 * an API key are omitted, in any case and under any number of encodings.
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

/** Replaces whatever looks like an API key with `eds_…`. */
export function redactKeys(text: string): string {
  return text.replaceAll(LOOKS_LIKE_A_KEY, 'eds_…');
}

/** Null if the text names a key, or contains one that cannot be cut out. */
function withoutKey(text: string): string | null {
  const plain = decodedWholly(text);
  if (/apikey/i.test(plain)) return null;
  const masked = redactKeys(plain);
  if (masked === plain) return text;
  return plain === text ? masked : null;
}

/** Decodes percent-encoding, including nested encodings. Invalid sequences stay. */
function decodedWholly(text: string): string {
  return text.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

const LOOKS_LIKE_A_KEY = /eds_(?:live|test)_\w+/gi;
