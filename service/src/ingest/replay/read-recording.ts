import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import { decodeBody } from '../../platform/http-body.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';

/** Metadata of a recorded response, from `meta.json`. */
export interface RecordingMeta {
  method: string;
  url: string;
  status: number;
  contentType: string;
  /** Null if unknown, in which case the response is treated as older than every dated response. */
  recordedAt: Instant | null;
  metaPath: string;
  bodyPath: string;
  encoding: 'identity' | 'gzip';
}

/** An unreadable recording, with a reason code. */
export class RecordingError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RecordingError';
    this.reason = reason;
  }
}

/** Larger than any observed response, but small enough for memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
const META_BYTES_MAX = 1024 * 1024;
/**
 * Dates outside this range are recorder errors. A response dated in the far future would always be
 * the newest.
 */
const RECORDED_AT_MIN = Date.UTC(1970, 0, 1);
const RECORDED_AT_MAX = Date.UTC(2100, 0, 1);

/** Reads and validates a `meta.json`. Throws `RecordingError`. */
export async function readMeta(path: string): Promise<RecordingMeta> {
  const meta = parseMeta(await readMetaText(path));
  const folder = dirname(path);
  const bodyPath = resolve(folder, text(meta, 'body_file'));
  if (isOutside(folder, bodyPath)) {
    throw new RecordingError('bad-meta', 'body_file leaves the recording’s folder');
  }
  const encoding = meta.body_stored_encoding ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new RecordingError('bad-meta', `body_stored_encoding is ${JSON.stringify(encoding)}`);
  }
  const { status } = meta;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999) {
    throw new RecordingError('bad-meta', 'status is not an HTTP status');
  }
  return {
    method: typeof meta.method === 'string' ? meta.method : 'GET',
    url: text(meta, 'url'),
    status,
    contentType: typeof meta.content_type === 'string' ? meta.content_type : '',
    recordedAt: recordedAtOf(meta.recorded_at ?? null),
    metaPath: path,
    bodyPath,
    encoding,
  };
}

/**
 * Reads and decompresses a body as text, in the same charset as a live response. The decompressed
 * size is counted first, so that a decompression bomb takes time but no memory. Throws
 * `RecordingError`.
 */
export async function readBody(meta: RecordingMeta): Promise<string> {
  try {
    await requireBesideMeta(meta);
    const size = meta.encoding === 'gzip' ? await countBytes(meta) : await fileSize(meta);
    if (size > BODY_BYTES_MAX) {
      throw new RecordingError('body-too-large', `the body is over ${BODY_BYTES_MAX} bytes`);
    }
    const body = Buffer.alloc(size);
    let filled = 0;
    for await (const chunk of chunksOf(meta)) filled += chunk.copy(body, filled);
    return decodeBody(body.subarray(0, filled), meta.contentType);
  } catch (error) {
    throw error instanceof RecordingError ? error : readFailure(error);
  }
}

async function readMetaText(path: string): Promise<string> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new RecordingError('bad-meta', 'meta.json is not a file');
    if (facts.size > META_BYTES_MAX) throw new RecordingError('bad-meta', 'over 1 MiB');
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw error instanceof RecordingError ? error : new RecordingError('bad-meta', String(error));
  }
}

/**
 * Requires the body to be in the same folder as `meta.json` after links are resolved. Both may be
 * linked from elsewhere together, but a body that is linked on its own could be any file.
 */
async function requireBesideMeta(meta: RecordingMeta): Promise<void> {
  const folder = dirname(await realpath(meta.metaPath));
  if (!isOutside(folder, await realpath(meta.bodyPath))) return;
  throw new RecordingError('bad-meta', 'body_file is a link out of the recording’s folder');
}

function isOutside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}

async function fileSize(meta: RecordingMeta): Promise<number> {
  const facts = await stat(meta.bodyPath);
  // A device or a pipe is rejected, since reading it may block forever.
  if (facts.isFile()) return facts.size;
  throw new RecordingError('unreadable-body', 'the body is not a file');
}

/** Returns the decompressed size, counted up to the limit. */
async function countBytes(meta: RecordingMeta): Promise<number> {
  await fileSize(meta);
  let bytes = 0;
  for await (const chunk of chunksOf(meta)) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  return bytes;
}

async function* chunksOf(meta: RecordingMeta): AsyncGenerator<Buffer, void> {
  const file = createReadStream(meta.bodyPath);
  const source = meta.encoding === 'gzip' ? file.pipe(createGunzip()) : file;
  file.once('error', (error) => source.destroy(error));
  try {
    yield* source as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
    file.destroy();
  }
}

function readFailure(error: unknown): RecordingError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new RecordingError('missing-body', 'the body file is missing');
  if (code.startsWith('Z_')) return new RecordingError('damaged-gzip', `the gzip stream: ${code}`);
  return new RecordingError('unreadable-body', code === '' ? String(error) : code);
}

function parseMeta(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    throw new RecordingError('bad-meta', 'meta.json is not JSON');
  }
  throw new RecordingError('bad-meta', 'meta.json is not an object');
}

function text(meta: Record<string, unknown>, name: string): string {
  const value = meta[name];
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new RecordingError('bad-meta', `${name} is missing`);
}

function recordedAtOf(value: unknown): Instant | null {
  if (value === null) return null;
  // Some recorders omitted the time zone. UTC is within hours of any zone they may have used. Some
  // kept only the day; at its end, the response was certainly public.
  const texts = typeof value === 'string' ? [value, `${value}Z`, `${value}T23:59:59Z`] : [];
  const instant = texts.map(parseInstant).find((read) => read !== null);
  if (instant === undefined)
    throw new RecordingError('bad-meta', 'recorded_at is not an RFC 3339 instant or a day');
  if (instant >= RECORDED_AT_MIN && instant < RECORDED_AT_MAX) return instant;
  throw new RecordingError('bad-meta', 'recorded_at is outside 1970 to 2099');
}
