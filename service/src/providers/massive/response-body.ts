import { isJsonObject, type JsonObject, requireJson } from '../kit/json.ts';
import { type Answer, AnswerError } from '../provider.ts';

const GOOD: readonly unknown[] = ['OK', 'DELAYED'];

/**
 * The object in the body. Refusals are objects too, with another `status` than `OK` (`DELAYED` is
 * good as well: it tells of a plan without the last quarter of an hour).
 */
export function readBody(answer: Answer): JsonObject {
  const body = answer.json();
  if (isJsonObject(body) && isRefusal(answer)) throw refusal(answer.status, body);
  const object = requireJson(answer);
  if (isJsonObject(object)) return object;
  throw new AnswerError('error-answer', 'unexpected-shape', 'not an object');
}

/** Whether the source says no, in the body or by its status. */
export function isRefusal(answer: Answer): boolean {
  if (answer.status < 200 || answer.status >= 300) return true;
  const body = answer.json();
  return isJsonObject(body) && 'status' in body && !GOOD.includes(body['status']);
}

function refusal(httpStatus: number, body: JsonObject): AnswerError {
  const message = body['error'] ?? body['message'];
  const detail = typeof message === 'string' ? message.slice(0, 200) : `HTTP ${httpStatus}`;
  if (httpStatus === 401) return new AnswerError('error-answer', 'invalid-key', detail);
  if (httpStatus === 429) return new AnswerError('blocked', 'limit-reached', detail);
  if (httpStatus === 403 || body['status'] === 'NOT_AUTHORIZED') {
    return new AnswerError('error-answer', 'not-in-plan', detail);
  }
  if (httpStatus === 404 || body['status'] === 'NOT_FOUND') {
    return new AnswerError('not-found', 'unknown-symbol', detail);
  }
  return new AnswerError('error-answer', 'provider-error', detail);
}
