import type { Instant } from '../../platform/instant.ts';
import { chooseEncoding, remember } from '../request/accept.ts';
import type { HttpResponse, ReadRequest } from './http-response.ts';
import { matchesTag } from './etag.ts';
import { createCompressor } from './packer.ts';
import { headersFor, type CachedResponse } from './cached-response.ts';

/** What a stored answer is rendered for. */
interface RenderedFor {
  request: ReadRequest;
  requestId: string;
  /** When a word in what is asked means another day; null when it has none. */
  datesValidUntil: Instant | null;
}

/** Makes answers of stored ones: encoded as the client takes them, without body when it holds them. */
export interface ResponseRenderer {
  /** `extra`: headers beside those of the answer, names and values in turn. */
  render(
    arrival: RenderedFor,
    stored: CachedResponse,
    now: Instant,
    extra: readonly string[],
  ): HttpResponse;
  /** Resolves when no body is being encoded. */
  idle(): Promise<void>;
}

export function createResponseRenderer(): ResponseRenderer {
  const packer = createCompressor();
  const encodingOf = remember(chooseEncoding);
  return {
    render({ request, requestId, datesValidUntil: meansUntil }, stored, now, extra) {
      const acceptEncoding = request.headers['accept-encoding'];
      const encoding =
        acceptEncoding === undefined
          ? 'identity'
          : packer.choose(stored, encodingOf(acceptEncoding as string));
      const notModified = isNotModified(request.headers, stored);
      const headers = headersFor(
        stored,
        { encoding, notModified, datesValidUntil: meansUntil },
        now,
      ).slice();
      headers.push('X-Request-Id', requestId);
      if (extra.length > 0) headers.push(...extra);
      if (notModified) return { status: 304, headers, body: null };
      const body = request.method === 'HEAD' ? null : (stored.encoded.get(encoding) ?? stored.body);
      return { status: 200, headers, body };
    },
    idle: () => packer.idle(),
  };
}

/** Whether the client holds the answer as it is. */
export function isNotModified(headers: ReadRequest['headers'], stored: CachedResponse): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch as string, stored.tag);
}
