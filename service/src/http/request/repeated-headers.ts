import type { IncomingMessage } from 'node:http';

type RawHeaders = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Returns the number of times a header was sent. `name` must be in lower case. */
export function countHeader({ rawHeaders }: Pick<RawHeaders, 'rawHeaders'>, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sentName = rawHeaders[index] ?? '';
    if (sentName.length === name.length && sentName.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Returns the headers with all `Authorization` values. Node.js keeps only the first one, but a
 * second key must be detected. For other repeated headers, Node.js already joins the values with
 * commas.
 */
export function withAllAuthorizations(
  request: RawHeaders,
): Readonly<Record<string, string | string[] | undefined>> {
  const { headers, rawHeaders } = request;
  if (headers.authorization === undefined) return headers;
  if (countHeader(request, 'authorization') < 2) return headers;
  const authorization = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
  return { ...headers, authorization };
}
