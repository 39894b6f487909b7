/** Everything the server limits before it has a complete request. */
export interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Maximum idle time of a connection. Node.js adds a second. */
  keepAliveTimeoutMs: number;
  /**
   * The same behind a trusted proxy. It must exceed the proxy's own timeout, or the proxy sends
   * requests on closed connections.
   */
  keepAliveBehindProxyMs: number;
  /**
   * Maximum time that a response waits for a client that stops reading; half as long if it read
   * nothing.
   */
  unreadTimeoutMs: number;
  headersMaxBytes: number;
  requestsPerSocketMax: number;
  connectionsMax: number;
  /** Per client address. A trusted proxy carries all clients and is not limited. */
  connectionsPerAddressMax: number;
  /** Interval between checks for timed-out connections. */
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
