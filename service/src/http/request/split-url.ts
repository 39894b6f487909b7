/** A request target taken apart around the key, so that the rest can be remembered and the key not. */
export interface SplitUrl {
  /** The target without the key. */
  urlWithoutKey: string;
  /** The key as it stands in the query; null when it is not there in its plain, usual form. */
  key: string | null;
}

const NAME = 'apikey=';

/**
 * Cuts a plain `apikey=…` out of the query: the first one, and only when its value needs no
 * decoding. What stays in `rest`, such as a second or an encoded one, is left to the full reading.
 */
export function splitUrl(url: string): SplitUrl {
  const start = url.indexOf(NAME);
  if (start < 1) return { urlWithoutKey: url, key: null };
  const before = url.charCodeAt(start - 1);
  if (before !== QUESTION_MARK && before !== AMPERSAND) return { urlWithoutKey: url, key: null };
  const query = url.indexOf('?');
  if (query === -1 || query > start) return { urlWithoutKey: url, key: null };
  const end = url.indexOf('&', start);
  const key = url.slice(start + NAME.length, end === -1 ? url.length : end);
  if (key.includes('%') || key.includes('+') || key === '')
    return { urlWithoutKey: url, key: null };
  const tail = end === -1 ? '' : url.slice(end + 1);
  return { urlWithoutKey: url.slice(0, tail === '' ? start - 1 : start) + tail, key };
}

const QUESTION_MARK = 63;
const AMPERSAND = 38;
