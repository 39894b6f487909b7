import { isJsonObject, type JsonObject, rejectFailedStatus, requireJson } from '../kit/json.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';

/** Error responses have HTTP 200 and one property, under one of these keys. */
const MESSAGE_KEYS = ['Error Message', 'Information', 'Note'] as const;
const PREMIUM = /\bpremium (?:endpoint|feature)\b/i;
const LIMIT =
  /\b(?:rate limit|call frequency|burst pattern|spreading out|(?:request|call)s? per (?:day|minute|second))\b/i;
const KEY = /\bapi ?key\b/i;

/**
 * Returns the object in the body. Throws for error responses, which have HTTP 200, and for other
 * JSON values.
 */
export function readObject(response: SourceResponse): JsonObject {
  rejectErrorResponse(response);
  const body = requireJson(response);
  if (isJsonObject(body)) return body;
  throw new SourceResponseError('error-answer', 'unexpected-shape', 'not an object');
}

/**
 * Throws if the response is an error, which is JSON even for tables: `blocked` for an exhausted
 * quota, `error-answer` for a paid function, an invalid key or any other error.
 */
export function rejectErrorResponse(response: SourceResponse): void {
  rejectFailedStatus(response);
  const message = messageOf(response);
  if (message === null) return;
  const detail = message.slice(0, 200);
  if (PREMIUM.test(message)) throw new SourceResponseError('error-answer', 'not-in-plan', detail);
  if (LIMIT.test(message)) throw new SourceResponseError('blocked', 'limit-reached', detail);
  if (KEY.test(message)) throw new SourceResponseError('error-answer', 'invalid-key', detail);
  throw new SourceResponseError('error-answer', 'provider-error', detail);
}

/** Returns true if the body or the status indicates an error. */
export function isErrorResponse(response: SourceResponse): boolean {
  return response.status < 200 || response.status >= 300 || messageOf(response) !== null;
}

function messageOf(response: SourceResponse): string | null {
  if (!response.text.trimStart().startsWith('{')) return null;
  const body = response.json();
  if (!isJsonObject(body)) return null;
  const key = MESSAGE_KEYS.find((name) => Object.hasOwn(body, name));
  if (key === undefined) return null;
  const message = body[key];
  return typeof message === 'string' ? message : 'no message';
}
