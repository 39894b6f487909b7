/** From the start of an attempt to the last byte read. */
export const TOTAL_MS = 15_000;
export const DNS_MS = 5_000;
/** Connecting and the TLS handshake together, over all addresses tried. */
export const CONNECT_MS = 5_000;
/** Addresses tried per host name. */
export const ADDRESSES_MAX = 4;

/** Upper limit for the TTL of a DNS answer. */
export const DNS_TTL_MS_MAX = 60_000;

/** Bytes read of a response, with its head and interim responses. */
export const READ_BYTES_MAX = 65_536;
export const BODY_BYTES_MAX = 16_384;
/** Chunks read of a body: a short chunk costs as much as a long one. */
export const BODY_CHUNKS_MAX = 1_024;
export const HEADERS_MAX = 32;
export const HEADER_BYTES_MAX = 8_192;
export const HEAD_BYTES_MAX = 16_384;
/** Lines of a head, checked per read: a short line costs as much as a long one. */
export const HEAD_LINES_MAX = 256;
/** Bytes parsed at a time, before the limits are checked again. */
export const READ_SIZE_BYTES = 4_096;
/** 1xx responses before the response. */
export const INTERIM_RESPONSES_MAX = 8;

/** An idle connection is closed after this, or after the receiver's keep-alive timeout. */
export const IDLE_MS = 4_000;
export const IDLE_MS_MAX = 50_000;
/** All deliveries in flight of a process, because many endpoints may share a host. */
export const IDLE_CONNECTIONS_MAX = 512;
