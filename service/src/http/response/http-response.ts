/** A response, independent of any framework. */
export interface HttpResponse {
  status: number;
  /** Alternating names and values, ready for `writeHead`. */
  headers: string[];
  body: Buffer | null;
}

/** A request, independent of any framework. */
export interface ReadRequest {
  method: string;
  /** Path and query as received, still encoded. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Client address: that of the socket, or the one forwarded by a trusted proxy. */
  remoteAddress: string;
}
