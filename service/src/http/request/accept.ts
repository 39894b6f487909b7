import type { Encoding } from '../response/etag.ts';

/** Content negotiation (RFC 9110 §12) for three media types and three content codings. */

/** Quality values by media range; null if the client accepts any type. */
export type Accept = ReadonlyMap<string, number> | null;

export function parseAccept(accept: string): Accept {
  const qualities = parseQualities(accept);
  return qualities.size === 0 ? null : qualities;
}

/**
 * Returns the quality of a media type, from 0 to 1, according to the most specific range that
 * covers it.
 */
export function qualityOf(accept: Accept, mediaType: string): number {
  if (accept === null) return 1;
  const [type = ''] = mediaType.split('/');
  return accept.get(mediaType) ?? accept.get(`${type}/*`) ?? accept.get('*/*') ?? 0;
}

/** Returns true if the client prefers HTML to data. This is how browsers are detected. */
export function prefersHtml(accept: string): boolean {
  const qualities = parseQualities(accept);
  return (qualities.get('text/html') ?? 0) > (qualities.get('application/json') ?? 0);
}

/**
 * Returns the content coding with the highest quality. In case of a tie, returns the coding with
 * the best compression.
 */
export function chooseEncoding(acceptEncoding: string): Encoding {
  const qualities = parseQualities(acceptEncoding);
  const wildcard = qualities.get('*') ?? 0;
  let best: Encoding = 'identity';
  let bestQuality = 0;
  for (const encoding of ['br', 'gzip'] as const) {
    const quality = qualities.get(encoding) ?? wildcard;
    if (quality > bestQuality) {
      best = encoding;
      bestQuality = quality;
    }
  }
  return (qualities.get('identity') ?? 0) > bestQuality ? 'identity' : best;
}

/**
 * Longer headers are not cached. Browsers send shorter ones, and a header of 8 KiB would retain
 * 4,000 quality values.
 */
const MEMOIZED_LENGTH_MAX = 256;

/** Memoizes a header parser for the few values that clients actually send. */
export function memoizeHeader<T>(
  parse: (header: string) => T,
  sizeMax = 256,
): (header: string) => T {
  const cache = new Map<string, T>();
  return (header) => {
    if (header.length > MEMOIZED_LENGTH_MAX) return parse(header);
    let result = cache.get(header);
    if (result === undefined) {
      if (cache.size >= sizeMax) cache.clear();
      cache.set(header, (result = parse(header)));
    }
    return result;
  };
}

function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') qualities.set(name, Number.isFinite(quality) ? quality : 0);
  }
  return qualities;
}
