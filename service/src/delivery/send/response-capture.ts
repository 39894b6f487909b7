import { BODY_BYTES_MAX, HEADERS_MAX, HEADER_BYTES_MAX } from './limits.ts';

/** Maximum length of a kept `Retry-After` header, which is enough for the name and a date. */
const RETRY_AFTER_BYTES_MAX = 256;

/** The part of a response that is stored, captured as it arrives. */
export interface CapturedResponse {
  status: number;
  headers: [string, string][];
  /** Adds a chunk of the body. Once the size limit is reached, only marks the body as truncated. */
  add(chunk: Uint8Array): void;
  /** Marks the body as incomplete. */
  markTruncated(): void;
  body(): { body: string; truncated: boolean };
}

/** Starts capturing a response. `rawHeaders` alternates names and values, as received. */
export function captureResponse(
  status: number,
  rawHeaders: readonly Uint8Array[],
): CapturedResponse {
  // Collects the body in a single buffer, because one buffer per chunk would cost more than the
  // bytes it holds.
  let buffer = new Uint8Array(0);
  let length = 0;
  let truncated = false;
  return {
    status,
    headers: captureHeaders(rawHeaders),
    add(chunk) {
      const room = BODY_BYTES_MAX - length;
      if (chunk.length > room) truncated = true;
      if (room === 0) return;
      // The part is copied into `buffer`, because a chunk is a view of a larger buffer that would
      // otherwise stay in memory.
      const part = chunk.subarray(0, room);
      buffer = withCapacity(buffer, length + part.length);
      buffer.set(part, length);
      length += part.length;
    },
    markTruncated() {
      truncated = true;
    },
    body() {
      if (length === 0) return { body: '', truncated };
      const text = storable(new TextDecoder().decode(buffer.subarray(0, length)));
      const body = fit(text);
      return { body, truncated: truncated || body.length < text.length };
    },
  };
}

/** Grows the buffer to at least twice its length if it is too small. */
function withCapacity(buffer: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.min(Math.max(size, 2 * buffer.length), BODY_BYTES_MAX));
  larger.set(buffer);
  return larger;
}

function captureHeaders(raw: readonly Uint8Array[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = headerText(raw[i]);
    // Drops the receiver's session cookies, because they are secrets.
    if (name.toLowerCase() !== 'set-cookie') headers.push([name, headerText(raw[i + 1])]);
  }
  // Kept regardless of its position, because it determines when the delivery is retried.
  const retryAfter = headers.find(([name]) => name.toLowerCase() === 'retry-after');
  const keepsRetryAfter = retryAfter !== undefined && bytesOf(retryAfter) <= RETRY_AFTER_BYTES_MAX;
  let bytes = keepsRetryAfter ? bytesOf(retryAfter) : 0;
  let count = keepsRetryAfter ? 1 : 0;
  let isFull = false;
  return headers.filter((header) => {
    if (keepsRetryAfter && header === retryAfter) return true;
    count += 1;
    bytes += bytesOf(header);
    isFull ||= count > HEADERS_MAX || bytes > HEADER_BYTES_MAX;
    return !isFull;
  });
}

function bytesOf([name, value]: readonly [string, string]): number {
  return Buffer.byteLength(name) + Buffer.byteLength(value);
}

function headerText(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  const { buffer, byteOffset, byteLength } = bytes;
  return storable(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
}

/** Replaces NUL, which PostgreSQL cannot store in text. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

/** Cuts the text to the limit again, because replacing invalid UTF-8 makes it longer. */
function fit(text: string): string {
  if (Buffer.byteLength(text) <= BODY_BYTES_MAX) return text;
  const bytes = Buffer.from(text).subarray(0, BODY_BYTES_MAX);
  return new TextDecoder().decode(bytes, { stream: true });
}
