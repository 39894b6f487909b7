import type { AddressClass } from '../../webhooks/address/forbidden-address.ts';
import type { PostFailureCode } from './agent.ts';

/** An error that ends an attempt. The agent turns it into an outcome. */
export class AttemptError extends Error {
  readonly code: PostFailureCode;
  readonly addressClass: AddressClass | undefined;

  constructor(code: PostFailureCode, detail: string, addressClass?: AddressClass) {
    super(detail);
    this.name = 'AttemptError';
    this.code = code;
    this.addressClass = addressClass;
  }
}

/** The connection was lost before the first byte of a response. */
export class NoResponseError extends AttemptError {}

/** Converts an error that occurred while connecting. */
export function connectFailure(error: unknown): AttemptError {
  const code = codeOf(error);
  return new AttemptError('connect', CONNECT[code] ?? `The connection failed (${code}).`);
}

/** Converts an error during the TLS handshake. No part of the request was sent. */
export function tlsFailure(error: unknown): AttemptError {
  const code = codeOf(error);
  return new AttemptError('tls', TLS[code] ?? `The TLS handshake failed (${code}).`);
}

/**
 * Converts an error that occurred after the first byte of the request and before the status of the
 * response.
 */
export function exchangeFailure(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_')) return tlsFailure(error);
  return new AttemptError('reset', RESET[code] ?? `The connection was lost (${code}).`);
}

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver reset the connection while connecting.',
  EHOSTUNREACH: 'There is no route to the receiver.',
  ENETUNREACH: 'There is no route to the receiver.',
  ETIMEDOUT: 'The receiver did not accept the connection.',
};

const MISSING_INTERMEDIATE = "The receiver's certificate chain lacks an intermediate certificate.";
const CLOSED_IN_HANDSHAKE = 'The receiver closed the connection during the TLS handshake.';

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not yet valid.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is signed by an unknown authority.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: MISSING_INTERMEDIATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: MISSING_INTERMEDIATE,
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
  ECONNRESET: CLOSED_IN_HANDSHAKE,
  EPIPE: CLOSED_IN_HANDSHAKE,
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The receiver does not support TLS on this port, or only an old version.',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The receiver supports only an old version of TLS.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The receiver does not support this version of TLS.',
};

const INVALID_RESPONSE = 'The response was not valid HTTP/1.1.';

const RESET: Readonly<Record<string, string>> = {
  ECONNRESET: 'The receiver reset the connection before it responded.',
  EPIPE: 'The receiver closed the connection before it responded.',
  // The name of an undici error that has no code.
  HTTPParserError: INVALID_RESPONSE,
  // The response declares two different lengths. A body that is shorter than its declared length
  // does not cause this error, because its status already determines the outcome.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: INVALID_RESPONSE,
  UND_ERR_SOCKET: 'The receiver closed the connection before it responded.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
};

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
