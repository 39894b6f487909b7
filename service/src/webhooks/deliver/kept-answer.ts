import { BODY_BYTES_MAX, HEADERS_MAX, HEADER_BYTES_MAX } from './limits.ts';

/** What is kept of an answer, as it comes in. */
export interface KeptAnswer {
  status: number;
  headers: [string, string][];
  /** Takes a piece of the body; beyond what is kept only the fact is noted. */
  add(piece: Uint8Array): void;
  /** Something of the body will not come in. */
  cutOff(): void;
  body(): { body: string; truncated: boolean };
}

/** `rawHeaders`: name, value, name, value, as they came. */
export function keepAnswer(status: number, rawHeaders: readonly Uint8Array[]): KeptAnswer {
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
    cutOff() {
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
  const headers: [string, string][] = [];
  let bytes = 0;
  for (let i = 0; i + 1 < raw.length && headers.length < HEADERS_MAX; i += 2) {
    const name = headerText(raw[i]);
    const value = headerText(raw[i + 1]);
    // A receiver's session is not ours to keep.
    if (name.toLowerCase() === 'set-cookie') continue;
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > HEADER_BYTES_MAX) break;
    headers.push([name, value]);
  }
  return headers;
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
