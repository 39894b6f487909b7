/** What the server takes from the network before a request is one: all visible, all in one place. */
export interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** How long an idle connection is kept; the library adds a second. */
  keepAliveTimeoutMs: number;
  /** The same when a proxy is trusted: longer than proxies keep theirs, or they meet closed ones. */
  keepAliveBehindProxyMs: number;
  /** How long an answer waits for a client that takes no more of it; half as long if it took none. */
  unreadTimeoutMs: number;
  headersMaxBytes: number;
  requestsPerSocketMax: number;
  connectionsMax: number;
  /** Per address of the socket; a trusted proxy carries everyone and is not counted. */
  connectionsPerAddressMax: number;
  /** How often overdue connections are looked for. */
  checkIntervalMs: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 14_000,
  keepAliveBehindProxyMs: 75_000,
  unreadTimeoutMs: 15_000,
  headersMaxBytes: 8_192,
  requestsPerSocketMax: 1_000,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 100,
  checkIntervalMs: 1_000,
};
