import { isJsonObject, type JsonObject, looksLikeHtml, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

const BLOCKED = /Undeclared Automated Tool|Request Rate Threshold Exceeded/i;
const NOT_FOUND: readonly [RegExp, string][] = [
  [/<Code>NoSuchKey<\/Code>/, 'no-such-key'],
  [/<Code>AccessDenied<\/Code>/, 'access-denied'],
];
/**
 * EDGAR's error messages are near the top of the body, and a whole filing can be many megabytes
 * long.
 */
const START_LENGTH = 4000;

/**
 * Returns the body as a JSON object. Throws `SourceResponseError` for error responses and other
 * JSON values.
 */
export function readObject(response: SourceResponse): JsonObject {
  rejectErrorResponse(response);
  if (looksLikeHtml(response.text)) {
    throw new SourceResponseError('damaged', 'html-instead-of-json', `${response.url}: a web page`);
  }
  const body = requireJson(response);
  if (isJsonObject(body)) return body;
  throw new SourceResponseError('damaged', 'unexpected-shape', `${response.url}: not an object`);
}

/**
 * Throws for EDGAR's error responses. A missing object is an XML error, with 404 on the data host
 * and 403 in the archives; a 403 with HTML means that EDGAR blocks this service.
 */
export function rejectErrorResponse(response: SourceResponse): void {
  const error = findError(response);
  if (error === null) return;
  throw new SourceResponseError(
    error[0],
    error[1],
    `${response.url}: ${error[1]} (${response.status})`,
  );
}

export function isErrorResponse(response: SourceResponse): boolean {
  return findError(response) !== null;
}

export function findError({
  status,
  text,
}: Pick<SourceResponse, 'status' | 'text'>): [SourceResponseError['kind'], string] | null {
  const start = text.slice(0, START_LENGTH);
  if (start.trimStart().startsWith('<')) {
    if (BLOCKED.test(start)) return ['blocked', 'undeclared-or-too-fast'];
    for (const [shape, reason] of NOT_FOUND) if (shape.test(start)) return ['not-found', reason];
  }
  if (status === 429) return ['blocked', 'http-429'];
  if (status === 401 || status === 403) return ['blocked', `http-${status}`];
  if (status === 404) return ['not-found', 'http-404'];
  if (status < 200 || status >= 300) return ['error-answer', `http-${status}`];
  return start.trim() === '' ? ['damaged', 'empty-body'] : null;
}
