import type { FileHandle } from 'node:fs/promises';

/** Bytes of an open file, both ends included. The sender closes it. */
export interface FileRange {
  handle: FileHandle;
  start: number;
  end: number;
}

/** The connection of a streamed response. */
export interface StreamSink {
  /**
   * Sends bytes. Returns false if the client reads too slowly: the caller then waits until its
   * reader's `onDrained` is called.
   */
  write(chunk: Buffer): boolean;
  /** Ends the response. A client that does not read is disconnected. */
  end(): void;
}

/** Receives the events of a streamed response's connection. */
export interface StreamReader {
  onDrained(): void;
  onClosed(): void;
}

/** A response, independent of any framework. */
export interface HttpResponse {
  status: number;
  /** Alternating header names and values, ready for `writeHead`. */
  headers: string[];
  body: Buffer | null;
  /** Sent instead of a body. */
  file?: FileRange;
  /** Sent instead of a body. Called once, as soon as the headers are sent. */
  openStream?: (sink: StreamSink) => StreamReader;
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
  /** Calls the listener once the client has gone or has its response. */
  whenClosed?: (listener: () => void) => void;
}
