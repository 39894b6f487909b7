import type { FileHandle } from 'node:fs/promises';

/** Bytes of an open file, both ends included. The sender closes it. */
export interface FileRange {
  handle: FileHandle;
  start: number;
  end: number;
}

/** A response, independent of any framework. */
export interface HttpResponse {
  status: number;
  /** Alternating header names and values, ready for `writeHead`. */
  headers: string[];
  body: Buffer | null;
  /** Sent instead of a body. */
  file?: FileRange;
}

/** A request, independent of any framework. */
export interface ReadRequest {
  method: string;
  /** Path and query as received, still encoded. */
  url: string;
  /** Headers with names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Client address: the address forwarded by a trusted proxy, otherwise the socket address. */
  remoteAddress: string;
}
