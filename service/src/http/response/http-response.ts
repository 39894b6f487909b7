/** A response, independent of any framework. */
export interface HttpResponse {
  status: number;
  /** Alternating header names and values, ready for `writeHead`. */
  headers: string[];
  body: Buffer | null;
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
