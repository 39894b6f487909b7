import type { IncomingMessage } from 'node:http';

type RawHeaders = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Number of times a header was sent. `name` is in lower case. */
export function countHeader({ rawHeaders }: Pick<RawHeaders, 'rawHeaders'>, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sentName = rawHeaders[index] ?? '';
    if (sentName.length === name.length && sentName.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * The headers with every `Authorization` value. Node.js keeps only the first, but two keys must be
 * detected. Other repeated headers are already joined by commas.
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
