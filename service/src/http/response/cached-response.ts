import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { mapInSlices } from '../../platform/slices.ts';
import { type Encoding, etagOf, startDigest, tagOfDigest } from './etag.ts';
import { COMMON_HEADERS, VARY } from './headers.ts';

export type DataSource = 'synthetic' | 'recorded' | 'live';

/** A response stored as bytes, so that it can be served again without being serialized. */
export interface CachedResponse {
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly mediaType: string;
  readonly body: Buffer;
  /** Headers specific to this response, as alternating names and values. */
  readonly headers: readonly string[];
  readonly tag: string;
  readonly dataSource: DataSource;
  /** The canonical URL, with dates resolved and without an API key. */
  readonly location: string;
  readonly asOf: Instant | null;
  /** Start of the second since which the location has had this body. */
  readonly modifiedAt: Instant;
  /** Lifetime set by the response itself; null to use the endpoint's lifetime. */
  readonly maxAgeSeconds: number | null;
  /** The body in each encoding that has been prepared so far. */
  readonly encoded: Map<Encoding, Buffer>;
  /** Header lists by variant. They are valid for one second, because `max-age` counts down. */
  headersByVariant: Map<string, readonly string[]>;
  headersSecond: number;
}

export function createCachedResponse(
  parts: Pick<CachedResponse, 'endpoint' | 'values' | 'dataSource' | 'location' | 'asOf'> & {
    mediaType: string;
    body: Buffer;
    tag: string;
    headers: readonly string[];
    maxAgeSeconds?: number | undefined;
  },
  modifiedAtOf: (tag: string) => Instant,
): CachedResponse {
  const { body, tag, maxAgeSeconds = null } = parts;
  return {
    ...parts,
    maxAgeSeconds,
    modifiedAt: modifiedAtOf(tag),
    encoded: new Map([['identity', body]]),
    headersByVariant: new Map(),
    headersSecond: -1,
  };
}

/** Encodes and hashes the parts of a body, and serves other events in between. */
export async function encodeBody(
  slices: readonly string[],
): Promise<Pick<CachedResponse, 'body' | 'tag'>> {
  const digest = startDigest();
  const parts = await mapInSlices(slices, 1, (slice) => {
    const part = Buffer.from(slice.join(''));
    digest.update(part);
    return [part];
  });
  const [only] = parts;
  const body = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return { body, tag: tagOfDigest(digest) };
}

/** Returns the approximate size in memory, including encodings that have not been prepared yet. */
export function sizeBytesOf(cached: CachedResponse): number {
  return cached.body.length * 2 + 1024;
}

interface Variant {
  encoding: Encoding;
  notModified: boolean;
  /** Time at which the requested URL will refer to a different response; null for never. */
  datesValidUntil: Instant | null;
}

/**
 * Returns the headers for the 200 response in this encoding, or for its 304. The returned list is
 * shared and must not be modified.
 */
export function headersFor(
  cached: CachedResponse,
  variant: Variant,
  now: Instant,
): readonly string[] {
  const second = Math.floor(now / 1000);
  if (cached.headersSecond !== second) {
    cached.headersByVariant = new Map();
    cached.headersSecond = second;
  }
  const { encoding, datesValidUntil } = variant;
  const kind = variant.notModified ? `not-modified ${encoding}` : encoding;
  const name = datesValidUntil === null ? kind : `${kind} until ${datesValidUntil}`;
  let headers = cached.headersByVariant.get(name);
  if (headers === undefined) {
    headers = buildHeaders(cached, variant, now);
    cached.headersByVariant.set(name, headers);
  }
  return headers;
}

function buildHeaders(cached: CachedResponse, variant: Variant, now: Instant): readonly string[] {
  const { endpoint, values, asOf, modifiedAt } = cached;
  const dataSeconds = cached.maxAgeSeconds ?? endpoint.maxAgeSeconds(values, now);
  // The response itself stays valid, but `today` will refer to a different day.
  const seconds = Math.min(dataSeconds, ((variant.datesValidUntil ?? Infinity) - now) / 1000);
  const maxAge = Math.max(0, Math.floor(seconds));
  const headers = variant.notModified ? [] : contentHeaders(cached, variant.encoding);
  headers.push('ETag', etagOf(cached.tag, variant.encoding));
  headers.push('Last-Modified', new Date(modifiedAt).toUTCString());
  if (asOf !== null) headers.push('X-Data-As-Of', formatInstant(asOf));
  headers.push('X-Data-Source', cached.dataSource);
  headers.push('Cache-Control', `private, max-age=${maxAge}`, 'Vary', VARY);
  headers.push('Content-Location', cached.location, ...cached.headers, ...COMMON_HEADERS);
  return headers;
}

function contentHeaders(cached: CachedResponse, encoding: Encoding): string[] {
  const length = String(cached.encoded.get(encoding)?.length ?? cached.body.length);
  const headers = ['Content-Type', cached.mediaType, 'Content-Length', length];
  return encoding === 'identity' ? headers : [...headers, 'Content-Encoding', encoding];
}
