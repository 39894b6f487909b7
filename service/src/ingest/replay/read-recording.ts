import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { parseInstant } from '../../platform/instant.ts';
import type { Instant } from '../../platform/instant.ts';

/** What `meta.json` says of a recorded answer. */
export interface RecordingMeta {
  method: string;
  url: string;
  status: number;
  contentType: string;
  /** Null when nobody wrote it down: such an answer counts as older than every dated one. */
  recordedAt: Instant | null;
  bodyPath: string;
  encoding: 'identity' | 'gzip';
}

/** A recording that cannot be read, with a countable reason. */
export class RecordingError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RecordingError';
    this.reason = reason;
  }
}

/** Larger than any answer a source has been seen to give, small enough to hold in memory. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;
const META_BYTES_MAX = 1024 * 1024;

/** Reads and checks a `meta.json`. Throws RecordingError. */
export async function readMeta(path: string): Promise<RecordingMeta> {
  const { size } = await stat(path);
  if (size > META_BYTES_MAX) throw new RecordingError('bad-meta', 'meta.json is over 1 MiB');
  const meta = parseMeta(await readFile(path, 'utf8'));
  const folder = dirname(path);
  const bodyPath = resolve(folder, text(meta, 'body_file'));
  if (relative(folder, bodyPath).startsWith('..')) {
    throw new RecordingError('bad-meta', 'body_file leaves the recording’s folder');
  }
  const encoding = meta.body_stored_encoding ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new RecordingError('bad-meta', `body_stored_encoding is ${JSON.stringify(encoding)}`);
  }
  if (typeof meta.status !== 'number' || !Number.isInteger(meta.status)) {
    throw new RecordingError('bad-meta', 'status is no whole number');
  }
  return {
    method: typeof meta.method === 'string' ? meta.method : 'GET',
    url: text(meta, 'url'),
    status: meta.status,
    contentType: typeof meta.content_type === 'string' ? meta.content_type : '',
    recordedAt: recordedAtOf(meta.recorded_at ?? null),
    bodyPath,
    encoding,
  };
}

/** Reads a body as text, undoing gzip, never more than `BODY_BYTES_MAX`. Throws RecordingError. */
export async function readBody(meta: RecordingMeta): Promise<string> {
  const file = createReadStream(meta.bodyPath);
  const source = meta.encoding === 'gzip' ? file.pipe(createGunzip()) : file;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    file.once('error', (error) => source.destroy(error));
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) {
        throw new RecordingError('body-too-large', `the body is over ${BODY_BYTES_MAX} bytes`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw readFailure(error);
  } finally {
    file.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readFailure(error: unknown): RecordingError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new RecordingError('missing-body', 'the body file is not there');
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
  const instant = typeof value === 'string' ? parseInstant(value) : null;
  if (instant === null) throw new RecordingError('bad-meta', 'recorded_at is no RFC 3339 instant');
  return instant;
}
