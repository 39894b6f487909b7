import type { IncomingMessage } from 'node:http';
import { problem, type Problem } from '../problems.ts';
import { countHeader } from './repeated-headers.ts';

export const URL_LENGTH_MAX = 2_048;
const VERSIONS: readonly string[] = ['1.1', '1.0'];
/** With more headers than these, what stands between names and values is counted too. */
const HEADERS_FEW = 100;
/** The colon, the space and the line end of each. */
const BETWEEN_BYTES = 4;

/**
 * What the parser lets through and no request may have, whatever it asks for; null when there is
 * nothing. `url` is the target in origin form. The connection ends with the refusal.
 */
export function checkMessage(
  request: IncomingMessage,
  { url, headersMaxBytes }: { url: string; headersMaxBytes: number },
): Problem | null {
  const { headers, rawHeaders, httpVersion } = request;
  if (!VERSIONS.includes(httpVersion))
    return malformedRequest('HTTP is spoken here in 1.0 and 1.1.');
  if (headers.host === undefined && httpVersion !== '1.0') {
    return malformedRequest('The header Host is missing.');
  }
  // RFC 9112, section 3.2: two that differ could be read differently by a proxy and by us.
  if (countHeader(request, 'host') > 1)
    return malformedRequest('The header Host is there more than once.');
  // Proxies differ in what they make of any other, and so in where the message ends.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return malformedRequest('The one transfer encoding is chunked.');
  }
  if (rawHeaders.length > 2 * HEADERS_FEW && bytesOf(rawHeaders) > headersMaxBytes) {
    return HEADERS_TOO_LARGE;
  }
  return url.length > URL_LENGTH_MAX ? URI_TOO_LONG : null;
}

/** Whether a message announces a body, be it an empty one in chunks. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

export function malformedRequest(detail: string): Problem {
  const members = { parameter: 'request' };
  return problem('invalid-parameter', detail, { members, headers: ['Connection', 'close'] });
}

export const URI_TOO_LONG = problem(
  'uri-too-long',
  'Path and query together may have 2,048 characters.',
);
export const HEADERS_TOO_LARGE = problem(
  'headers-too-large',
  'All headers together may have 8,192 bytes.',
);
export const UNEXPECTED_BODY = problem('invalid-parameter', 'A read takes no request body.', {
  members: { parameter: 'body' },
  headers: ['Connection', 'close'],
});

function bytesOf(rawHeaders: readonly string[]): number {
  const texts = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  return texts + (rawHeaders.length / 2) * BETWEEN_BYTES;
}
