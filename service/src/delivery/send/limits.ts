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
 * timeout. Slightly less than the 60 s of common load balancers.
 */
export const IDLE_MS = 55_000;
export const IDLE_MS_MAX = 300_000;
/** Probes keep the entries of firewalls and address translation, and find dead receivers. */
export const TCP_KEEP_ALIVE_MS = 30_000;
/** Maximum age of a reused connection, so that receivers can move and rotate certificates. */
export const CONNECTION_AGE_MS_MAX = 600_000;
/** Default for the maximum number of idle connections of a process. */
export const IDLE_CONNECTIONS_MAX = 1_000;
/**
 * Maximum time for which TLS sessions are resumed after a full handshake, because only that
 * verifies the certificate.
 */
export const TLS_SESSION_AGE_MS_MAX = 3_600_000;
/** Maximum number of origins with a stored TLS session, of about 2 kB each. */
export const TLS_SESSIONS_MAX = 5_000;
