import { open } from 'node:fs/promises';
import type { StoredFile } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';
import type { DataSource } from './cached-response.ts';
import { COMMON_HEADERS, VARY } from './headers.ts';
import type { HttpResponse, ReadRequest } from './http-response.ts';
import { isNotModified } from './response-renderer.ts';

export interface FileResponseOptions {
  request: ReadRequest;
  requestId: string;
  mediaType: string;
  dataSource: DataSource;
  /** The canonical URL. */
  location: string;
  maxAgeSeconds: number;
  /** Alternating names and values to add to the response's own headers. */
  extraHeaders: readonly string[];
}

/** Returns true if the client needs no bytes: it has the file, or there is none. */
export function needsNoBytes({ headers }: ReadRequest, file: StoredFile | null): boolean {
  if (file === null) return true;
  return isNotModified(headers, { tag: file.sha256, modifiedAt: secondOf(file) });
}

/**
 * Returns a file, the requested range of it, or a 304. A range is ignored if `If-Range` names
 * another version, so that a client never joins parts of two versions.
 */
export async function fileResponse(
  file: StoredFile | null,
  options: FileResponseOptions,
): Promise<HttpResponse | { refusal: Problem }> {
  const { request, requestId, extraHeaders } = options;
  if (file === null) return { refusal: NO_FILE };
  const headers = [...headersOf(file, options), 'X-Request-Id', requestId, ...extraHeaders];
  if (needsNoBytes(request, file)) return { status: 304, headers, body: null };
  // Only GET has ranges (RFC 9110 §14.2).
  const range = request.method === 'GET' ? rangeOf(request, file) : null;
  if (range === 'unsatisfiable') return { refusal: outsideOf(file) };
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 };
  headers.push('Content-Type', options.mediaType, 'Content-Length', String(end - start + 1));
  headers.push('Content-Disposition', `attachment; filename="${file.name}"`);
  if (range !== null) headers.push('Content-Range', `bytes ${start}-${end}/${file.sizeBytes}`);
  const status = range === null ? 200 : 206;
  if (request.method === 'HEAD') return { status, headers, body: null };
  const handle = await open(file.path);
  return { status, headers, body: null, file: { handle, start, end } };
}

const NO_FILE = problem('not-found', 'There is no such file. See /v1/datasets for the files.');

function outsideOf({ sizeBytes }: StoredFile): Problem {
  const headers = ['Content-Range', `bytes */${sizeBytes}`];
  return problem('range-not-satisfiable', `The file has ${sizeBytes} bytes.`, { headers });
}

/** Returns the time of the file as `Last-Modified` has it, without milliseconds. */
function secondOf({ modifiedAt }: StoredFile): Instant {
  return Math.floor(modifiedAt / 1_000) * 1_000;
}

function headersOf(
  { sha256, modifiedAt }: StoredFile,
  { dataSource, location, maxAgeSeconds }: FileResponseOptions,
): string[] {
  const digest = Buffer.from(sha256, 'hex').toString('base64');
  return [
    'ETag',
    `"${sha256}"`,
    'Last-Modified',
    new Date(modifiedAt).toUTCString(),
    'Repr-Digest',
    `sha-256=:${digest}:`,
    'Accept-Ranges',
    'bytes',
    'X-Data-Source',
    dataSource,
    'Content-Location',
    location,
    'Cache-Control',
    `private, max-age=${maxAgeSeconds}`,
    'Vary',
    VARY,
    ...COMMON_HEADERS,
  ];
}

interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses `Range: bytes=0-99`, `bytes=100-` or `bytes=-100`. Returns null for the whole file: without
 * the header, for several ranges, and for an unknown unit (RFC 9110 §14.2).
 */
function rangeOf(
  { headers }: ReadRequest,
  { sha256, sizeBytes, modifiedAt }: StoredFile,
): ByteRange | 'unsatisfiable' | null {
  const { range, 'if-range': ifRange } = headers as Readonly<Record<string, string | undefined>>;
  const isCurrent =
    ifRange === undefined ||
    ifRange === `"${sha256}"` ||
    ifRange === new Date(modifiedAt).toUTCString();
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (!isCurrent || (first === '' && last === '')) return null;
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start >= sizeBytes ? 'unsatisfiable' : { start, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
