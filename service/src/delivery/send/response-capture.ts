import { BODY_BYTES_MAX, HEADERS_MAX, HEADER_BYTES_MAX } from './limits.ts';

/** What is kept of an answer, as it comes in. */
export interface CapturedResponse {
  status: number;
  headers: [string, string][];
  /** Takes a piece of the body; beyond what is kept only the fact is noted. */
  add(piece: Uint8Array): void;
  /** Something of the body will not come in. */
  markTruncated(): void;
  body(): { body: string; truncated: boolean };
}

/** `rawHeaders`: name, value, name, value, as they came. */
export function captureResponse(
  status: number,
  rawHeaders: readonly Uint8Array[],
): CapturedResponse {
  // One piece of memory, whatever the number of pieces that come: each would cost more than it holds.
  let bytes = new Uint8Array(0);
  let kept = 0;
  let truncated = false;
  return {
    status,
    headers: keptHeaders(rawHeaders),
    add(piece) {
      const room = BODY_BYTES_MAX - kept;
      if (piece.length > room) truncated = true;
      if (room === 0) return;
      // A copy: the piece is a window on a larger buffer, which would be held as long.
      const part = piece.subarray(0, room);
      bytes = withRoom(bytes, kept + part.length);
      bytes.set(part, kept);
      kept += part.length;
    },
    markTruncated() {
      truncated = true;
    },
    body() {
      if (kept === 0) return { body: '', truncated };
      const text = storable(new TextDecoder().decode(bytes.subarray(0, kept)));
      const fitting = fit(text);
      return { body: fitting, truncated: truncated || fitting.length < text.length };
    },
  };
}

/** The same bytes where so many fit, else a copy at least twice as long. */
function withRoom(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= bytes.length) return bytes;
  const wider = new Uint8Array(Math.min(Math.max(needed, 2 * bytes.length), BODY_BYTES_MAX));
  wider.set(bytes);
  return wider;
}

function keptHeaders(raw: readonly Uint8Array[]): [string, string][] {
  const all: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = headerText(raw[i]);
    // A receiver's session is not ours to keep.
    if (name.toLowerCase() !== 'set-cookie') all.push([name, headerText(raw[i + 1])]);
  }
  // It says when to come again, wherever it stands.
  const asked = all.find(([name]) => name.toLowerCase() === 'retry-after');
  const isKept = asked !== undefined && bytesOf(asked) <= RETRY_AFTER_BYTES_MAX;
  let bytes = isKept ? bytesOf(asked) : 0;
  let count = isKept ? 1 : 0;
  let isFull = false;
  return all.filter((header) => {
    if (isKept && header === asked) return true;
    count += 1;
    bytes += bytesOf(header);
    isFull ||= count > HEADERS_MAX || bytes > HEADER_BYTES_MAX;
    return !isFull;
  });
}

/** The name and a date, with room to spare. */
const RETRY_AFTER_BYTES_MAX = 256;

function bytesOf([name, value]: readonly [string, string]): number {
  return Buffer.byteLength(name) + Buffer.byteLength(value);
}

function headerText(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  const { buffer, byteOffset, byteLength } = bytes;
  return storable(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
}

/** PostgreSQL holds no NUL in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

/** Bytes that are no UTF-8 grow when they are replaced; the bound holds for the text as stored. */
function fit(text: string): string {
  if (Buffer.byteLength(text) <= BODY_BYTES_MAX) return text;
  const cut = Buffer.from(text).subarray(0, BODY_BYTES_MAX);
  return new TextDecoder().decode(cut, { stream: true });
}
