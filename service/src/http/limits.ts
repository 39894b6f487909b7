/** Limits that the server enforces before it has received a complete request. */
export interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  /** Maximum idle time for a connection. Node.js adds another second. */
  keepAliveTimeoutMs: number;
  /**
   * Maximum idle time for a connection from a trusted proxy. It must exceed the proxy's own idle
   * timeout; otherwise, the proxy may send requests over closed connections.
   */
  keepAliveBehindProxyMs: number;
  /**
   * Maximum time that a response waits for a client that has stopped reading, or half of it if the
   * client has read nothing.
   */
  unreadTimeoutMs: number;
  headersMaxBytes: number;
  requestsPerSocketMax: number;
  connectionsMax: number;
  /**
   * Maximum number of connections per client address. Does not apply to trusted proxies, which
   * carry connections for many clients.
   */
  connectionsPerAddressMax: number;
  /** Interval between checks for timed-out connections. */
  checkIntervalMs: number;
}

/**
 * Options of Fastify's router. It would reject a longer path parameter with a body of its own, so the
 * limit is the length of all headers.
 */
export const ROUTER_OPTIONS = { maxParamLength: 8_192 };

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
