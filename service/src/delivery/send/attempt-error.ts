import type { AddressClass } from '../../webhooks/address/forbidden-address.ts';
import type { PostFailureCode } from './agent.ts';

/** Ends an attempt from anywhere inside; the agent makes an outcome of it. */
export class AttemptError extends Error {
  readonly code: PostFailureCode;
  readonly addressClass: AddressClass | undefined;

  constructor(code: PostFailureCode, detail: string, addressClass?: AddressClass) {
    super(detail);
    this.name = 'AttemptFailed';
    this.code = code;
    this.addressClass = addressClass;
  }
}

/** While a socket was opened: the receiver refused, or nobody is there. */
export function connectFailure(error: unknown): AttemptError {
  const code = codeOf(error);
  return new AttemptError('connect', CONNECT[code] ?? `No connection (${code}).`);
}

/** While the handshake ran: nothing of the delivery was sent. */
export function tlsFailure(error: unknown): AttemptError {
  const code = codeOf(error);
  return new AttemptError('tls', TLS[code] ?? `The TLS handshake failed (${code}).`);
}

/** After the first byte of the request and before a status. */
export function exchangeFailure(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  const code = codeOf(error);
  if (code.startsWith('ERR_SSL_')) return tlsFailure(error);
  return new AttemptError('reset', RESET[code] ?? `The connection broke (${code}).`);
}

const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver reset the connection while it was made.',
  EHOSTUNREACH: 'No route leads to the receiver.',
  ENETUNREACH: 'No route leads to the receiver.',
  ETIMEDOUT: 'The receiver did not take the connection.',
};

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not yet valid.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is signed by itself.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate leads to one that nobody vouches for.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'A certificate between the root and the receiver is missing.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'A certificate between the root and the receiver is missing.',
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another name.",
  ECONNRESET: 'The receiver closed the connection during the TLS handshake.',
  EPIPE: 'The receiver closed the connection during the TLS handshake.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The receiver does not speak TLS there, or only an old version.',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The receiver speaks only an old version of TLS.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The receiver speaks only another version of TLS.',
};

const NO_HTTP = 'What came back was no answer of HTTP/1.1.';

const RESET: Readonly<Record<string, string>> = {
  ECONNRESET: 'The receiver reset the connection before it answered.',
  EPIPE: 'The receiver closed the connection before it answered.',
  // By its name, since the library gives it no code.
  HTTPParserError: NO_HTTP,
  // Of two lengths; of a body that is shorter than its length the status counts.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NO_HTTP,
  UND_ERR_SOCKET: 'The receiver closed the connection before it answered.',
  UND_ERR_HEADERS_OVERFLOW: "The head of the receiver's answer is too large.",
};

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
