import type { RequestTarget } from './request-target.ts';

/**
 * Returns the path and query as received, for the log entry of a rejected request. Omits parts that
 * contain an API key or the name of the API key parameter, in any letter case and however often
 * they are encoded.
 */
export function redactedUrl({
  urlWithoutKey,
  endpoint,
}: Pick<RequestTarget, 'urlWithoutKey' | 'endpoint'>): string {
  const queryStart = urlWithoutKey.indexOf('?');
  const path =
    withoutKey(queryStart === -1 ? urlWithoutKey : urlWithoutKey.slice(0, queryStart)) ??
    endpoint.path;
  if (queryStart === -1) return path;
  const pairs = urlWithoutKey.slice(queryStart + 1).split('&');
  const query = pairs.map(withoutKey).filter((pair) => pair !== null && pair !== '');
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Replaces anything that looks like an API key with `eds_…`. */
export function redactKeys(text: string): string {
  return text.replaceAll(KEY_PATTERN, 'eds_…');
}

/**
 * Returns the text without API keys. Returns null if the text is the name of the API key parameter
 * or contains a key that cannot be cut out.
 */
function withoutKey(text: string): string | null {
  const decoded = decodeRepeatedly(text);
  if (/apikey/i.test(decoded)) return null;
  const masked = redactKeys(decoded);
  if (masked === decoded) return text;
  return decoded === text ? masked : null;
}

/** Decodes percent-encoding, including nested encodings. Leaves invalid sequences unchanged. */
function decodeRepeatedly(text: string): string {
  return text.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

const KEY_PATTERN = /eds_(?:live|test)_\w+/gi;
