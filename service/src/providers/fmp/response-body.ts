import { isJsonObject, isList, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

const MESSAGE_KEY = 'Error Message';
const LIMIT_REACHED = /\blimit reach/i;
const INVALID_KEY = /\binvalid api key\b/i;
const LEGACY = /\blegacy endpoint\b/i;

/**
 * Returns the list in the body. Errors are objects with `Error Message`, even with HTTP 200. The
 * message distinguishes an exhausted quota (`blocked`) from an invalid key or a path outside the
 * plan (`error-answer`). A path outside the plan may also get a 402 with plain text.
 */
export function readList(response: SourceResponse): unknown[] {
  const message = errorOf(response);
  if (message !== null) throw toError(response.status, message);
  if (response.status === 402) throw toError(response.status, 'payment required');
  const body = requireJson(response);
  if (isList(body)) return body;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'not a list');
}

/** Returns true if the body or the status indicates an error. */
export function isErrorResponse(response: SourceResponse): boolean {
  return response.status < 200 || response.status >= 300 || errorOf(response) !== null;
}

function toError(status: number, message: string): SourceResponseError {
  if (status === 429 || LIMIT_REACHED.test(message)) {
    return new SourceResponseError('blocked', 'limit-reached', message);
  }
  if (LEGACY.test(message))
    return new SourceResponseError('error-answer', 'legacy-endpoint', message);
  if (status === 401 || INVALID_KEY.test(message)) {
    return new SourceResponseError('error-answer', 'invalid-key', message);
  }
  const reason = status === 402 || status === 403 ? 'not-in-plan' : 'provider-error';
  return new SourceResponseError('error-answer', reason, message);
}

function errorOf(response: SourceResponse): string | null {
  const body = response.json();
  if (!isJsonObject(body) || !Object.hasOwn(body, MESSAGE_KEY)) return null;
  const message = body[MESSAGE_KEY];
  return typeof message === 'string' ? message.slice(0, 200) : 'no message';
}
