import { createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { decodeDocument } from './decode-document.ts';

export type Body = { kind: 'text'; text: string } | { kind: 'too-large' } | { kind: 'unreadable' };

export interface BodyOptions {
  /** Maximum number of received bytes and, separately, of decompressed bytes. */
  bytesMax: number;
  contentEncoding: string | undefined;
  contentType: string;
  /** Called for every chunk received. */
  onChunk(): void;
}

/**
 * Reads a body to its end, or stops at the size limit. A decompression bomb is decompressed chunk
 * by chunk and never held in memory. Rejects if the connection breaks.
 */
export async function readBody(stream: Readable, options: BodyOptions): Promise<Body> {
  const decompressor = decompressorFor(options.contentEncoding);
  if (decompressor === 'unknown') return { kind: 'unreadable' };
  let receivedBytes = 0;
  let decodedBytes = 0;
  const chunks: Buffer[] = [];

  async function* receivedChunks(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      const buffer = chunk as Buffer;
      options.onChunk();
      receivedBytes += buffer.length;
      yield buffer;
      if (receivedBytes > options.bytesMax) return;
    }
  }

  const output =
    decompressor === null ? receivedChunks() : decompress(receivedChunks(), decompressor);
  try {
    for await (const chunk of output) {
      decodedBytes += chunk.length;
      if (decodedBytes > options.bytesMax) return { kind: 'too-large' };
      chunks.push(chunk);
    }
  } catch (error) {
    // If the compressed bytes were cut off at the limit, decompression is expected to fail.
    if (receivedBytes <= options.bytesMax) throw error;
  }
  if (receivedBytes > options.bytesMax) return { kind: 'too-large' };
  return { kind: 'text', text: decodeBody(Buffer.concat(chunks), options.contentType) };
}

function decompressorFor(contentEncoding: string | undefined): Transform | null | 'unknown' {
  const name = contentEncoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  return name === 'deflate' ? createInflate() : 'unknown';
}

/**
 * Decompresses one chunk at a time and yields all its output before the next, so memory use stays
 * bounded.
 */
async function* decompress(
  input: AsyncIterable<Buffer>,
  decompressor: Transform,
): AsyncGenerator<Buffer> {
  const feeding = feed(input, decompressor);
  // The reader receives an input failure through the destroyed stream, so the rejection is ignored
  // here.
  feeding.catch(() => undefined);
  try {
    for await (const chunk of decompressor) yield chunk as Buffer;
    await feeding;
  } finally {
    decompressor.destroy();
  }
}

async function feed(input: AsyncIterable<Buffer>, decompressor: Transform): Promise<void> {
  try {
    for await (const chunk of input) {
      if (decompressor.destroyed) return;
      if (!decompressor.write(chunk)) await drained(decompressor);
    }
    decompressor.end();
  } catch (error) {
    decompressor.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

function drained(stream: Transform): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve();
    };
    stream.on('drain', settle);
    stream.on('close', settle);
  });
}

/** Byte order marks and their encodings. */
const BYTE_ORDER_MARKS = [
  { label: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { label: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { label: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

const FOR_PEOPLE = /^text\/(?:html|plain)\b/i;

/**
 * Decodes bytes to text and strips the byte order mark. The mark determines the encoding, or else
 * the charset in the content type. The default is UTF-8, or Windows-1252 for a page that is not
 * valid UTF-8. Recordings use this function too, so a recorded response has the same text as a live
 * one.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const mark = BYTE_ORDER_MARKS.find((each) =>
    each.bytes.equals(bytes.subarray(0, each.bytes.length)),
  );
  const label = mark?.label ?? /charset="?([\w-]+)/i.exec(contentType)?.[1];
  if (label === undefined && FOR_PEOPLE.test(contentType)) return decodeDocument(bytes);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
