/** What the server takes from the network before a request is one: all visible, all in one place. */
export interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
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
  keepAliveTimeoutMs: 65_000,
  headersMaxBytes: 8_192,
  requestsPerSocketMax: 1_000,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 100,
  checkIntervalMs: 1_000,
};
