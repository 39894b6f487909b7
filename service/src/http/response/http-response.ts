/** What goes back to a client, whatever the framework. */
export interface HttpResponse {
  status: number;
  /** Names and values in turn, ready for `writeHead`. */
  headers: string[];
  body: Buffer | null;
}

/** What the rules need to know of a request. */
export interface ReadRequest {
  method: string;
  /** Path and query as they came, still encoded. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's address: that of the socket, or the one a trusted proxy forwarded. */
  remoteAddress: string;
}
