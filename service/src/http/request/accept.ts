import type { Encoding } from '../response/etag.ts';

/** Content negotiation (RFC 9110 §12), as far as three media types and three codings need it. */

/** Weights of media types as a client sent them; null when it takes anything. */
export type Accept = ReadonlyMap<string, number> | null;

export function parseAccept(accept: string): Accept {
  const weights = parseQualities(accept);
  return weights.size === 0 ? null : weights;
}

/** How much a media type is wanted: by the most specific range that covers it, 0 to 1. */
export function qualityOf(accept: Accept, mediaType: string): number {
  if (accept === null) return 1;
  const [type = ''] = mediaType.split('/');
  return accept.get(mediaType) ?? accept.get(`${type}/*`) ?? accept.get('*/*') ?? 0;
}

/** Whether a page is wanted rather than data: what browsers send when they go to an address. */
export function prefersHtml(accept: string): boolean {
  const weights = parseQualities(accept);
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0);
}

/** The coding with the greatest weight; on a tie the one that packs better. */
export function chooseEncoding(acceptEncoding: string): Encoding {
  const weights = parseQualities(acceptEncoding);
  const any = weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of ['br', 'gzip'] as const) {
    const weight = weights.get(encoding) ?? any;
    if (weight > bestWeight) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return (weights.get('identity') ?? 0) > bestWeight ? 'identity' : best;
}

/** Longer than what browsers send; a text of 8 KiB would keep four thousand weights. */
const REMEMBERED_LENGTH_MAX = 256;

/** Remembers the answers for the few texts that clients really send. */
export function remember<T>(read: (text: string) => T, sizeMax = 256): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > REMEMBERED_LENGTH_MAX) return read(text);
    let result = known.get(text);
    if (result === undefined) {
      if (known.size >= sizeMax) known.clear();
      known.set(text, (result = read(text)));
    }
    return result;
  };
}

function parseQualities(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (name !== '') weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
