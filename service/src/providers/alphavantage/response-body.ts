import { isJsonObject, type JsonObject, refuseFailedStatus, requireJson } from '../kit/json.ts';
import { type Answer, AnswerError } from '../provider.ts';

/** Keys of the only property of an answer that says no, with HTTP 200. */
const MESSAGE_KEYS = ['Error Message', 'Information', 'Note'] as const;
const PREMIUM = /\bpremium (?:endpoint|feature)\b/i;
const LIMIT =
  /\b(?:rate limit|call frequency|burst pattern|spreading out|(?:request|call)s? per (?:day|minute|second))\b/i;
const KEY = /\bapi ?key\b/i;

/** The object in the body; refusals, which come with HTTP 200, and other shapes are thrown. */
export function readObject(answer: Answer): JsonObject {
  throwRefusal(answer);
  const body = requireJson(answer);
  if (isJsonObject(body)) return body;
  throw new AnswerError('error-answer', 'unexpected-shape', 'not an object');
}

/**
 * Throws what the source says in place of data, as JSON even where a table was due: a spent
 * allowance is `blocked`, a function of a paid plan, a bad key and anything else an `error-answer`.
 */
export function throwRefusal(answer: Answer): void {
  refuseFailedStatus(answer);
  const message = messageOf(answer);
  if (message === null) return;
  const detail = message.slice(0, 200);
  if (PREMIUM.test(message)) throw new AnswerError('error-answer', 'not-in-plan', detail);
  if (LIMIT.test(message)) throw new AnswerError('blocked', 'limit-reached', detail);
  if (KEY.test(message)) throw new AnswerError('error-answer', 'invalid-key', detail);
  throw new AnswerError('error-answer', 'provider-error', detail);
}

/** Whether the source says no, in the body or by its status. */
export function isRefusal(answer: Answer): boolean {
  return answer.status < 200 || answer.status >= 300 || messageOf(answer) !== null;
}

function messageOf(answer: Answer): string | null {
  if (!answer.text.trimStart().startsWith('{')) return null;
  const body = answer.json();
  if (!isJsonObject(body)) return null;
  const key = MESSAGE_KEYS.find((name) => Object.hasOwn(body, name));
  if (key === undefined) return null;
  const message = body[key];
  return typeof message === 'string' ? message : 'no message';
}
