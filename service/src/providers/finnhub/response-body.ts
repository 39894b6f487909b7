import { isJsonObject, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

/**
 * Returns the body as JSON. Errors are objects with `error`: 401 for an invalid key and 403 for
 * data outside the plan are thrown as `error-answer`, 429 as `blocked`.
 */
export function readBody(response: SourceResponse): unknown {
  const message = errorOf(response);
  if (message !== null && response.status !== 429) {
    throw new SourceResponseError('error-answer', reasonOf(response.status), message);
  }
  return requireJson(response);
}

/** Returns true if the body or the status indicates an error. */
export function isErrorResponse(response: SourceResponse): boolean {
  return response.status < 200 || response.status >= 300 || errorOf(response) !== null;
}

function errorOf(response: SourceResponse): string | null {
  const body = response.json();
  if (!isJsonObject(body) || !Object.hasOwn(body, 'error')) return null;
  const { error } = body;
  return typeof error === 'string' ? error.slice(0, 200) : 'no message';
}

function reasonOf(status: number): string {
  if (status === 401) return 'invalid-key';
  return status === 403 ? 'not-in-plan' : 'provider-error';
}
