/** Time limit from the start of an attempt to the last byte read. */
export const TOTAL_MS = 15_000;
export const DNS_MS = 5_000;
/** Time limit for connecting and the TLS handshake, shared by all addresses of a host. */
export const CONNECT_MS = 5_000;
/** Maximum number of addresses to connect to per host name. */
export const ADDRESSES_MAX = 4;

/** Upper limit for the TTL of a DNS answer. */
export const DNS_TTL_MS_MAX = 60_000;

/** Maximum number of bytes read per response, including its head and interim responses. */
export const READ_BYTES_MAX = 65_536;
export const BODY_BYTES_MAX = 16_384;
/**
 * Maximum number of chunks read per response body. A short chunk costs as much to process as a long
 * one.
 */
export const BODY_CHUNKS_MAX = 1_024;
export const HEADERS_MAX = 32;
export const HEADER_BYTES_MAX = 8_192;
export const HEAD_BYTES_MAX = 16_384;
/**
 * Maximum number of lines in a response head, checked on each read. A short line costs as much to
 * process as a long one.
 */
export const HEAD_LINES_MAX = 256;
/** Maximum number of bytes parsed between limit checks. */
export const READ_SIZE_BYTES = 4_096;
/** Maximum number of interim (1xx) responses before the final response. */
export const INTERIM_RESPONSES_MAX = 8;

/**
 * Idle time after which a connection is closed, unless the receiver announces its own keep-alive
 * timeout.
 */
export const IDLE_MS = 4_000;
export const IDLE_MS_MAX = 50_000;
/**
 * Maximum number of idle connections: one for every delivery that a process may have in flight,
 * because many endpoints may share a host.
 */
export const IDLE_CONNECTIONS_MAX = 512;
