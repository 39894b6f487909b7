/** A response as received on the socket. */
export interface RawResponse {
  status: number;
  /** Status line and headers. */
  head: string;
  body: string;
}

/**
 * Splits the bytes that a server sent on one connection. `methods` lists the request methods in
 * order, since responses to HEAD announce a body that does not follow. Interim responses (1xx) are
 * skipped. `rest` is an incomplete response, and normally empty.
 */
export function splitResponses(
  text: string,
  methods: readonly string[] = [],
): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let offset = 0;
  while (offset < text.length) {
    const headEnd = text.indexOf('\r\n\r\n', offset);
    if (headEnd === -1) break;
    const head = text.slice(offset, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? NaN);
    if (Number.isNaN(status)) break;
    const start = headEnd + 4;
    const length = bodyLength(head, status, methods[responses.length]);
    if (start + length > text.length) break;
    offset = start + length;
    if (status >= 200) responses.push({ status, head, body: text.slice(start, offset) });
  }
  return { responses, rest: text.slice(offset) };
}

function bodyLength(head: string, status: number, method: string | undefined): number {
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return 0;
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
