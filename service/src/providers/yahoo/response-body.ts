import { describeValue } from '../../domain/dirty-value-error.ts';
import { isJsonObject, type JsonObject, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

/**
 * Returns the results in the envelope `{[name]: {result, error}}`. Throws `not-found` for an
 * unknown symbol, for which the source returns a 404 error or an empty list. Throws `blocked` for
 * an expired crumb or too many requests, even without an envelope of that name.
 */
export function readResults(response: SourceResponse, name: string): JsonObject[] {
  const error = errorOf(response, name);
  if (error !== null) throw toError(response.status, error);
  const body = requireJson(response);
  const envelope = isJsonObject(body) ? body[name] : undefined;
  const result = isJsonObject(envelope) ? envelope['result'] : undefined;
  if (!Array.isArray(result) || !result.every(isJsonObject)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', `no results in ${name}`);
  }
  return result;
}

/** Returns the only result; throws `not-found` if there is none. */
export function readResult(response: SourceResponse, name: string): JsonObject {
  const [first] = readResults(response, name);
  if (first === undefined)
    throw new SourceResponseError('not-found', 'unknown-symbol', 'no result');
  return first;
}

function errorOf(response: SourceResponse, name: string): JsonObject | null {
  const body = response.json();
  if (!isJsonObject(body)) return null;
  for (const key of [name, 'finance']) {
    const envelope = body[key];
    const error = isJsonObject(envelope) ? envelope['error'] : null;
    if (isJsonObject(error)) return error;
  }
  return null;
}

function toError(status: number, error: JsonObject): SourceResponseError {
  const { code, description } = error;
  const detail = `${describeValue(code)}: ${describeValue(description)}`.slice(0, 200);
  if (status === 404 || code === 'Not Found') {
    return new SourceResponseError('not-found', 'unknown-symbol', detail);
  }
  if (status === 401 || code === 'Unauthorized') {
    return new SourceResponseError('blocked', 'invalid-crumb', detail);
  }
  if (status === 429) return new SourceResponseError('blocked', 'http-429', detail);
  return new SourceResponseError('error-answer', 'provider-error', detail);
}
