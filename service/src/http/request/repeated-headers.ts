import type { IncomingMessage } from 'node:http';

type Raw = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Number of times a header was sent. `name` is in lower case. */
export function countHeader({ rawHeaders }: Pick<Raw, 'rawHeaders'>, name: string): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}

/**
 * The headers with every `Authorization` value. Node.js keeps only the first, but two keys must be
 * detected. Other repeated headers are already joined by commas.
 */
export function withAllAuthorizations(
  request: Raw,
): Readonly<Record<string, string | string[] | undefined>> {
  const { headers, rawHeaders } = request;
  if (headers.authorization === undefined) return headers;
  if (countHeader(request, 'authorization') < 2) return headers;
  const authorization = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
  return { ...headers, authorization };
}
