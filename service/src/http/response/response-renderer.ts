import type { Instant } from '../../platform/instant.ts';
import { chooseEncoding, remember } from '../request/accept.ts';
import type { Answer, ReadRequest } from './http-response.ts';
import { matchesTag } from './etag.ts';
import { createPacker } from './packer.ts';
import { headOf, type StoredAnswer } from './cached-response.ts';

/** What a stored answer is rendered for. */
interface RenderedFor {
  request: ReadRequest;
  requestId: string;
  /** When a word in what is asked means another day; null when it has none. */
  meansUntil: Instant | null;
}

/** Makes answers of stored ones: encoded as the client takes them, without body when it holds them. */
export interface Renderer {
  /** `extra`: headers beside those of the answer, names and values in turn. */
  render(
    arrival: RenderedFor,
    stored: StoredAnswer,
    now: Instant,
    extra: readonly string[],
  ): Answer;
  /** Resolves when no body is being encoded. */
  idle(): Promise<void>;
}

export function createRenderer(): Renderer {
  const packer = createPacker();
  const encodingOf = remember(chooseEncoding);
  return {
    render({ request, requestId, meansUntil }, stored, now, extra) {
      const acceptEncoding = request.headers['accept-encoding'];
      const encoding =
        acceptEncoding === undefined
          ? 'identity'
          : packer.choose(stored, encodingOf(acceptEncoding as string));
      const notModified = isHeld(request.headers, stored);
      const headers = headOf(stored, { encoding, notModified, meansUntil }, now).slice();
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
export function isHeld(headers: ReadRequest['headers'], stored: StoredAnswer): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch as string, stored.tag);
}
