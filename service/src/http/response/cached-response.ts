import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { type Encoding, etagOf, tagOf } from './etag.ts';
import { COMMON_HEADERS, VARY } from './headers.ts';

export type DataSource = 'synthetic' | 'recorded' | 'live';

/** An answer kept as bytes: serving it again serialises nothing. */
export interface CachedResponse {
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly mediaType: string;
  readonly body: Buffer;
  /** Headers of this answer alone, names and values in turn. */
  readonly headers: readonly string[];
  readonly tag: string;
  readonly dataSource: DataSource;
  /** The address of this very answer: dates resolved, no key. */
  readonly location: string;
  readonly asOf: Instant | null;
  /** Given by the answer itself; else the endpoint tells. */
  readonly maxAgeSeconds: number | null;
  /** Encoded bodies, as far as they were made. */
  readonly encoded: Map<Encoding, Buffer>;
  /** Header lists by variant, as of one second: `max-age` runs down. */
  headersByVariant: Map<string, readonly string[]>;
  headersSecond: number;
}

export function createCachedResponse(
  parts: Pick<CachedResponse, 'endpoint' | 'values' | 'dataSource' | 'location' | 'asOf'> & {
    mediaType: string;
    text: string;
    headers: readonly string[];
    maxAgeSeconds?: number | undefined;
  },
): CachedResponse {
  const { text, maxAgeSeconds = null, ...rest } = parts;
  const body = Buffer.from(text);
  return {
    ...rest,
    maxAgeSeconds,
    body,
    tag: tagOf(body),
    encoded: new Map([['identity', body]]),
    headersByVariant: new Map(),
    headersSecond: -1,
  };
}

/** What it takes in memory, its encodings to come included, roughly. */
export function sizeBytesOf(answer: CachedResponse): number {
  return answer.body.length * 2 + 1024;
}

interface Variant {
  encoding: Encoding;
  notModified: boolean;
  /** Until when the address that was asked means this answer; null: for good. */
  datesValidUntil: Instant | null;
}

/** Headers of the 200 in that encoding, or of its 304; the list is shared: it is not written to. */
export function headersFor(
  answer: CachedResponse,
  variant: Variant,
  now: Instant,
): readonly string[] {
  const second = Math.floor(now / 1000);
  if (answer.headersSecond !== second) {
    answer.headersByVariant = new Map();
    answer.headersSecond = second;
  }
  const { encoding, datesValidUntil: meansUntil } = variant;
  const kind = variant.notModified ? `not-modified ${encoding}` : encoding;
  const name = meansUntil === null ? kind : `${kind} until ${meansUntil}`;
  let headers = answer.headersByVariant.get(name);
  if (headers === undefined)
    answer.headersByVariant.set(name, (headers = buildHeaders(answer, variant, now)));
  return headers;
}

function buildHeaders(answer: CachedResponse, variant: Variant, now: Instant): readonly string[] {
  const { endpoint, values, asOf } = answer;
  const ownSeconds = answer.maxAgeSeconds ?? endpoint.maxAgeSeconds(values, now);
  // An answer lasts; that `today` is its day does not.
  const seconds = Math.min(ownSeconds, ((variant.datesValidUntil ?? Infinity) - now) / 1000);
  const maxAge = Math.max(0, Math.floor(seconds));
  const headers = variant.notModified ? [] : contentHeaders(answer, variant.encoding);
  headers.push('ETag', etagOf(answer.tag, variant.encoding));
  if (asOf !== null) headers.push('Last-Modified', new Date(asOf).toUTCString());
  if (asOf !== null) headers.push('X-Data-As-Of', formatInstant(asOf));
  headers.push('X-Data-Source', answer.dataSource);
  headers.push('Cache-Control', `private, max-age=${maxAge}`, 'Vary', VARY);
  headers.push('Content-Location', answer.location, ...answer.headers, ...COMMON_HEADERS);
  return headers;
}

function contentHeaders(answer: CachedResponse, encoding: Encoding): string[] {
  const length = String(answer.encoded.get(encoding)?.length ?? answer.body.length);
  const headers = ['Content-Type', answer.mediaType, 'Content-Length', length];
  return encoding === 'identity' ? headers : [...headers, 'Content-Encoding', encoding];
}
