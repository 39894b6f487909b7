import { isJsonObject, type JsonObject, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

const SUCCESS_STATUSES: readonly unknown[] = ['OK', 'DELAYED'];

/**
 * Returns the object in the body. Errors are objects with a `status` other than `OK` or `DELAYED`
 * (data delayed by 15 minutes).
 */
export function readBody(response: SourceResponse): JsonObject {
  const body = response.json();
  if (isJsonObject(body) && isErrorResponse(response)) throw toError(response.status, body);
  const object = requireJson(response);
  if (isJsonObject(object)) return object;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'not an object');
}

/** Returns true if the body or the status indicates an error. */
export function isErrorResponse(response: SourceResponse): boolean {
  if (response.status < 200 || response.status >= 300) return true;
  const body = response.json();
  return isJsonObject(body) && 'status' in body && !SUCCESS_STATUSES.includes(body['status']);
}

function toError(httpStatus: number, body: JsonObject): SourceResponseError {
  const message = body['error'] ?? body['message'];
  const detail = typeof message === 'string' ? message.slice(0, 200) : `HTTP ${httpStatus}`;
  if (httpStatus === 401) return new SourceResponseError('error-answer', 'invalid-key', detail);
  if (httpStatus === 429) return new SourceResponseError('blocked', 'limit-reached', detail);
  if (httpStatus === 403 || body['status'] === 'NOT_AUTHORIZED') {
    return new SourceResponseError('error-answer', 'not-in-plan', detail);
  }
  if (httpStatus === 404 || body['status'] === 'NOT_FOUND') {
    return new SourceResponseError('not-found', 'unknown-symbol', detail);
  }
  return new SourceResponseError('error-answer', 'provider-error', detail);
}
