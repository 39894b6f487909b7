import type { IncomingMessage } from 'node:http';
import { problem, type Problem } from '../problems.ts';
import { countHeader } from './repeated-headers.ts';

export const URL_LENGTH_MAX = 2_048;
/** A name, IPv4 address or bracketed IPv6 address with an optional port; also empty. */
const HOST = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i;
const HTTP_VERSIONS: readonly string[] = ['1.1', '1.0'];
/** Above this number of headers, the separators of the headers also count toward their size. */
const UNCOUNTED_HEADERS_MAX = 100;
/** Size in bytes of the colon, space and line break in each header. */
const SEPARATOR_BYTES = 4;

/**
 * Checks for problems that the parser accepts but that are not allowed in any request. Returns null
 * if there are none. `url` must be in origin form. The connection is closed after a rejection.
 */
export function checkMessage(
  request: IncomingMessage,
  { url, headersMaxBytes }: { url: string; headersMaxBytes: number },
): Problem | null {
  const { headers, rawHeaders, httpVersion } = request;
  if (!HTTP_VERSIONS.includes(httpVersion))
    return malformedRequest('Only HTTP/1.0 and HTTP/1.1 are supported.');
  if (headers.host === undefined && httpVersion !== '1.0') {
    return malformedRequest('The Host header is missing.');
  }
  // RFC 9112, section 3.2. With two Host headers, a proxy and this server could each use a
  // different one.
  if (countHeader(request, 'host') > 1)
    return malformedRequest('The Host header appears more than once.');
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return malformedRequest('The Host header is not a host name with an optional port.');
  }
  // RFC 9112, section 6.1. HTTP/1.0 has no transfer codings, so the end of the message is unknown.
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return malformedRequest('HTTP/1.0 has no transfer encodings.');
  }
  // Proxies interpret other codings differently, so they may disagree on where the message ends.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return malformedRequest('The only supported transfer encoding is chunked.');
  }
  if (rawHeaders.length > 2 * UNCOUNTED_HEADERS_MAX && bytesOf(rawHeaders) > headersMaxBytes) {
    return HEADERS_TOO_LARGE;
  }
  return url.length > URL_LENGTH_MAX ? URI_TOO_LONG : null;
}

/** Returns true if the request announces a body, even an empty chunked one. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

export function malformedRequest(detail: string): Problem {
  const members = { parameter: 'request' };
  return problem('invalid-parameter', detail, { members, headers: ['Connection', 'close'] });
}

export const URI_TOO_LONG = problem(
  'uri-too-long',
  'Path and query together are limited to 2,048 characters.',
);
export const HEADERS_TOO_LARGE = problem(
  'headers-too-large',
  'All request headers together are limited to 8,192 bytes.',
);
export const UNEXPECTED_BODY = problem(
  'invalid-parameter',
  'A read request must not have a body.',
  {
    members: { parameter: 'body' },
    headers: ['Connection', 'close'],
  },
);

function bytesOf(rawHeaders: readonly string[]): number {
  const textBytes = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  return textBytes + (rawHeaders.length / 2) * SEPARATOR_BYTES;
}
