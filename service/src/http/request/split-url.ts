/** A URL split into its API key and the rest, so that the rest can be cached. */
export interface SplitUrl {
  urlWithoutKey: string;
  /** The key in the query; null if there is none, or if its name or value is percent-encoded. */
  key: string | null;
}

const KEY_PARAMETER = 'apikey=';

/**
 * Cuts the first plain `apikey=…` out of the query, provided that its value needs no decoding. All
 * other keys, such as second or encoded ones, remain in the URL for the full parser.
 */
export function splitUrl(url: string): SplitUrl {
  const start = url.indexOf(KEY_PARAMETER);
  if (start < 1) return { urlWithoutKey: url, key: null };
  const separator = url.charCodeAt(start - 1);
  if (separator !== QUESTION_MARK && separator !== AMPERSAND)
    return { urlWithoutKey: url, key: null };
  const query = url.indexOf('?');
  if (query === -1 || query > start) return { urlWithoutKey: url, key: null };
  const end = url.indexOf('&', start);
  const key = url.slice(start + KEY_PARAMETER.length, end === -1 ? url.length : end);
  if (key.includes('%') || key.includes('+') || key === '')
    return { urlWithoutKey: url, key: null };
  const tail = end === -1 ? '' : url.slice(end + 1);
  return { urlWithoutKey: url.slice(0, tail === '' ? start - 1 : start) + tail, key };
}

const QUESTION_MARK = 63;
const AMPERSAND = 38;
