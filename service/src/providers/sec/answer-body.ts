import { AnswerError } from '../provider.ts';
import type { Answer } from '../provider.ts';

export type JsonObject = Record<string, unknown>;

const BLOCKED = /Undeclared Automated Tool|Request Rate Threshold Exceeded/i;
const NOT_THERE: readonly [RegExp, string][] = [
  [/<Code>NoSuchKey<\/Code>/, 'no-such-key'],
  [/<Code>AccessDenied<\/Code>/, 'access-denied'],
];

/** The body as a JSON object. Throws `AnswerError` for error answers and for anything else. */
export function readObject(answer: Answer): JsonObject {
  requireUsable(answer);
  const body = answer.json();
  if (body === undefined) {
    const isMarkup = answer.text.trimStart().startsWith('<');
    const reason = isMarkup ? 'html-instead-of-json' : 'not-json';
    throw new AnswerError('damaged', reason, `${answer.url}: the body is not JSON`);
  }
  if (!isObject(body)) {
    throw new AnswerError('damaged', 'unexpected-shape', `${answer.url}: not an object`);
  }
  return body;
}

/**
 * Throws when EDGAR says no. A missing object is an XML error, 404 at the data host and 403 in the
 * archives; a 403 with HTML means that we are blocked.
 */
export function requireUsable(answer: Answer): void {
  const fault = findFault(answer);
  if (fault === null) return;
  throw new AnswerError(fault[0], fault[1], `${answer.url}: ${fault[1]} (${answer.status})`);
}

export function isErrorAnswer(answer: Answer): boolean {
  return findFault(answer) !== null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Non-empty text, trimmed; null for anything else. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

function findFault({ status, text }: Answer): [AnswerError['kind'], string] | null {
  const start = text.slice(0, 4000);
  if (start.trimStart().startsWith('<')) {
    if (BLOCKED.test(start)) return ['blocked', 'undeclared-or-too-fast'];
    for (const [shape, reason] of NOT_THERE) if (shape.test(start)) return ['not-found', reason];
  }
  if (status === 429) return ['blocked', 'too-many-requests'];
  if (status === 403) return ['blocked', 'forbidden'];
  if (status === 404) return ['not-found', 'http-404'];
  if (status >= 400) return ['error-answer', `http-${status}`];
  return text.trim() === '' ? ['damaged', 'empty-body'] : null;
}
