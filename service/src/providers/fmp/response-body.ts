import { isJsonObject, requireJson } from '../kit/json.ts';
import { type Answer, AnswerError } from '../provider.ts';

const MESSAGE_KEY = 'Error Message';
const LIMIT_REACHED = /\blimit reach/i;
const INVALID_KEY = /\binvalid api key\b/i;
const LEGACY = /\blegacy endpoint\b/i;

/**
 * The list in the body. Refusals are objects with `Error Message`, with HTTP 200 too: the message
 * tells a spent allowance (`blocked`) from a bad key or a path that the plan does not hold
 * (`error-answer`). What the plan does not hold also comes as 402 with plain text.
 */
export function readList(answer: Answer): unknown[] {
  const message = errorOf(answer);
  if (message !== null) throw refusal(answer.status, message);
  if (answer.status === 402) throw refusal(answer.status, 'payment required');
  const body = requireJson(answer);
  if (isList(body)) return body;
  throw new AnswerError('error-answer', 'unexpected-shape', 'not a list');
}

/** Whether the source says no, in the body or by its status. */
export function isErrorAnswer(answer: Answer): boolean {
  return answer.status < 200 || answer.status >= 300 || errorOf(answer) !== null;
}

function refusal(status: number, message: string): AnswerError {
  if (status === 429 || LIMIT_REACHED.test(message)) {
    return new AnswerError('blocked', 'limit-reached', message);
  }
  if (LEGACY.test(message)) return new AnswerError('error-answer', 'legacy-endpoint', message);
  if (status === 401 || INVALID_KEY.test(message)) {
    return new AnswerError('error-answer', 'invalid-key', message);
  }
  const reason = status === 402 || status === 403 ? 'not-in-plan' : 'provider-error';
  return new AnswerError('error-answer', reason, message);
}

function errorOf(answer: Answer): string | null {
  const body = answer.json();
  if (!isJsonObject(body) || !Object.hasOwn(body, MESSAGE_KEY)) return null;
  const message = body[MESSAGE_KEY];
  return typeof message === 'string' ? message.slice(0, 200) : 'no message';
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
