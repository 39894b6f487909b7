import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Cost } from '../../domain/quota-window.ts';
import type { Instant } from '../../platform/instant.ts';
import { chooseEncoding, memoizeHeader } from '../request/accept.ts';
import { type CachedResponse, headersFor } from './cached-response.ts';
import { type Encoding, matchesTag } from './etag.ts';
import type { HttpResponse, ReadRequest } from './http-response.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Bodies shorter than this fit into one packet without compression. */
const COMPRESSED_MIN_BYTES = 1_024;
/**
 * Brotli level 5 compresses as well as gzip level 9, at the speed of gzip level 6. Each higher
 * level doubles the time.
 */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
const QUEUE_MAX = 1_000;
/** From this size, the first response is compressed too, which takes less time than sending it. */
const LARGE_MIN_BYTES = 16 * 1_024;

interface RenderContext {
  request: ReadRequest;
  requestId: string;
  /**
   * Time at which a relative date such as `today` changes its meaning; null if the request has
   * none.
   */
  datesValidUntil: Instant | null;
}

/**
 * Renders cached responses: a 304 if the client has the current version, otherwise a 200,
 * compressed if possible.
 */
export class ResponseRenderer {
  readonly #compressor = new Compressor();
  readonly #parseAcceptEncoding = memoizeHeader(chooseEncoding);

  /**
   * Renders a response. `extraHeaders` contains alternating names and values to add to the
   * response's own headers.
   */
  render(
    context: RenderContext,
    cached: CachedResponse,
    now: Instant,
    extraHeaders: readonly string[],
  ): HttpResponse {
    const { request, requestId, datesValidUntil } = context;
    const acceptEncoding = request.headers['accept-encoding'];
    const encoding =
      acceptEncoding === undefined
        ? 'identity'
        : this.#compressor.choose(cached, this.#parseAcceptEncoding(acceptEncoding as string));
    const notModified = isNotModified(request.headers, cached);
    const variant = { encoding, notModified, datesValidUntil };
    const headers = headersFor(cached, variant, now).slice();
    headers.push('X-Request-Id', requestId);
    if (extraHeaders.length > 0) headers.push(...extraHeaders);
    if (notModified) return { status: 304, headers, body: null };
    const body = request.method === 'HEAD' ? null : (cached.encoded.get(encoding) ?? cached.body);
    return { status: 200, headers, body };
  }

  /**
   * Returns a promise that resolves once a large body is available in the requested encoding; null
   * if there is nothing to wait for.
   */
  prepare({ headers }: ReadRequest, cached: CachedResponse): Promise<void> | null {
    const acceptEncoding = headers['accept-encoding'];
    if (acceptEncoding === undefined || cached.body.length < LARGE_MIN_BYTES) return null;
    if (isNotModified(headers, cached)) return null;
    return this.#compressor.prepare(cached, this.#parseAcceptEncoding(acceptEncoding as string));
  }

  /** Resolves once no body is being compressed. */
  idle(): Promise<void> {
    return this.#compressor.idle();
  }
}

/**
 * Returns true if the client has the current version of the response. `If-None-Match` takes
 * precedence over `If-Modified-Since` (RFC 9110 §13.2.2).
 */
export function isNotModified(
  headers: ReadRequest['headers'],
  cached: Pick<CachedResponse, 'tag' | 'modifiedAt'>,
): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesTag(ifNoneMatch as string, cached.tag);
  const ifModifiedSince = headers['if-modified-since'];
  // Only the very date that was sent is accepted. A later one could be from another process, which
  // may have served an older body at that time.
  return (
    ifModifiedSince !== undefined && Date.parse(ifModifiedSince as string) === cached.modifiedAt
  );
}

/**
 * Returns the cost of a response, which counts only toward the minute quota if the client already
 * has it.
 */
export function costOf(request: ReadRequest, response: CachedResponse): Cost {
  return isNotModified(request.headers, response) ? 'minute' : 'all';
}

/** Returns true if the client may have the current version of the response. */
export function mayBeNotModified(headers: ReadRequest['headers']): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

/**
 * Compresses bodies off the event loop. It compresses one at a time, which leaves the other threads
 * in the pool for reads.
 */
class Compressor {
  readonly #requested = new WeakMap<CachedResponse, Set<Encoding>>();
  #queued = 0;
  #last: Promise<void> = Promise.resolve();

  /**
   * Returns the requested encoding if the body is already available in it. Otherwise returns
   * identity and prepares the encoding in the background.
   */
  choose(cached: CachedResponse, requested: Encoding): Encoding {
    if (cached.encoded.has(requested)) return requested;
    if (cached.body.length >= COMPRESSED_MIN_BYTES) this.#enqueue(cached, requested);
    return 'identity';
  }

  /**
   * Returns a promise for the requested encoding; null if it is available, or if another body is
   * being compressed, for which the response would have to wait.
   */
  prepare(cached: CachedResponse, requested: Encoding): Promise<void> | null {
    if (cached.encoded.has(requested) || this.#queued > 0) return null;
    this.#enqueue(cached, requested);
    return this.#last;
  }

  idle(): Promise<void> {
    return this.#last;
  }

  #enqueue(cached: CachedResponse, encoding: Encoding): void {
    let encodings = this.#requested.get(cached);
    if (encodings === undefined) this.#requested.set(cached, (encodings = new Set()));
    if (encodings.has(encoding) || this.#queued >= QUEUE_MAX) return;
    encodings.add(encoding);
    this.#queued += 1;
    this.#last = this.#last
      .then(() => compress(cached, encoding))
      // The body is then sent uncompressed.
      .catch(() => undefined)
      .finally(() => (this.#queued -= 1));
  }
}

async function compress(cached: CachedResponse, encoding: Encoding): Promise<void> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: cached.body.length,
  };
  const compressed =
    encoding === 'br'
      ? await brotliAsync(cached.body, { params })
      : await gzipAsync(cached.body, { level: GZIP_LEVEL });
  cached.encoded.set(encoding, compressed);
}
