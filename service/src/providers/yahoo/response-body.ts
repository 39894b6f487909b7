import { describeValue } from '../../domain/dirty-value-error.ts';
import { isJsonObject, type JsonObject, requireJson } from '../kit/json.ts';
import { type Answer, AnswerError } from '../provider.ts';

/**
 * The results in the envelope `{[name]: {result, error}}`. What is not known comes as an error with
 * 404 or as an empty list, and is `not-found`; a worn-out crumb and too many requests are
 * `blocked`, with or without an envelope of another name.
 */
export function readResults(answer: Answer, name: string): JsonObject[] {
  const error = errorOf(answer, name);
  if (error !== null) throw refusal(answer.status, error);
  const body = requireJson(answer);
  const envelope = isJsonObject(body) ? body[name] : undefined;
  const result = isJsonObject(envelope) ? envelope['result'] : undefined;
  if (!Array.isArray(result) || !result.every(isJsonObject)) {
    throw new AnswerError('error-answer', 'unexpected-shape', `no results in ${name}`);
  }
  return result;
}

/** The only result; `not-found` when there is none. */
export function readResult(answer: Answer, name: string): JsonObject {
  const [first] = readResults(answer, name);
  if (first === undefined) throw new AnswerError('not-found', 'unknown-symbol', 'no result');
  return first;
}

function errorOf(answer: Answer, name: string): JsonObject | null {
  const body = answer.json();
  if (!isJsonObject(body)) return null;
  for (const key of [name, 'finance']) {
    const envelope = body[key];
    const error = isJsonObject(envelope) ? envelope['error'] : null;
    if (isJsonObject(error)) return error;
  }
  return null;
}

function refusal(status: number, error: JsonObject): AnswerError {
  const { code, description } = error;
  const detail = `${describeValue(code)}: ${describeValue(description)}`.slice(0, 200);
  if (status === 404 || code === 'Not Found') {
    return new AnswerError('not-found', 'unknown-symbol', detail);
  }
  if (status === 401 || code === 'Unauthorized') {
    return new AnswerError('blocked', 'invalid-crumb', detail);
  }
  if (status === 429) return new AnswerError('blocked', 'http-429', detail);
  return new AnswerError('error-answer', 'provider-error', detail);
}
