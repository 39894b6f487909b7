import { isJsonObject, requireJson } from '../kit/json.ts';
import { type Answer, AnswerError } from '../provider.ts';

/**
 * The body as JSON. Refusals are objects with `error`: a bad key comes with 401, what the plan does
 * not hold with 403, and both are thrown as `error-answer`; 429 is `blocked`.
 */
export function readBody(answer: Answer): unknown {
  const message = errorOf(answer);
  if (message !== null && answer.status !== 429) {
    throw new AnswerError('error-answer', reasonOf(answer.status), message);
  }
  return requireJson(answer);
}

/** Whether the source says no, in the body or by its status. */
export function isErrorAnswer(answer: Answer): boolean {
  return answer.status < 200 || answer.status >= 300 || errorOf(answer) !== null;
}

function errorOf(answer: Answer): string | null {
  const body = answer.json();
  if (!isJsonObject(body) || !Object.hasOwn(body, 'error')) return null;
  const { error } = body;
  return typeof error === 'string' ? error.slice(0, 200) : 'no message';
}

function reasonOf(status: number): string {
  if (status === 401) return 'invalid-key';
  return status === 403 ? 'not-in-plan' : 'provider-error';
}
