/** From the start of an attempt to the last byte read. */
export const TOTAL_MS = 15_000;
export const DNS_MS = 5_000;
/** Connecting and the TLS handshake together, over all addresses tried. */
export const CONNECT_MS = 5_000;
/** So many addresses of one name are tried. */
export const ADDRESSES_MAX = 4;

/** What a resolver said holds so long at most, whatever it said of it. */
export const VET_MS_MAX = 60_000;

/** Bytes of an answer that are taken in, its head and interim answers included. */
export const READ_BYTES_MAX = 65_536;
export const BODY_BYTES_MAX = 16_384;
/** Chunks of a body that are taken in: each costs as much as a long one. */
export const BODY_PIECES_MAX = 1_024;
export const HEADERS_MAX = 32;
export const HEADER_BYTES_MAX = 8_192;
/** A head beyond this is no answer. */
export const HEAD_BYTES_MAX = 16_384;
/** Nor are lines beyond these, give or take those of a piece: each costs as much as a long one. */
export const HEAD_LINES_MAX = 256;
/** So much of an answer is looked at at a time, before the next limit counts. */
export const PIECE_BYTES_MAX = 4_096;
/** Answers of 1xx before the answer. */
export const INTERIM_MAX = 8;

/** An idle connection ends after this, or after what the receiver announced, before its re-vet. */
export const IDLE_MS = 4_000;
export const IDLE_MS_MAX = 50_000;
/** As many as a process has under way: many endpoints may share one host. */
export const IDLE_MAX = 512;
