import { type SourceResponse, SourceResponseError } from '../provider.ts';
import { isOversizedJson } from './oversized.ts';

/** An object from untrusted JSON; every value is checked where it is read. */
export type JsonObject = Record<string, unknown>;

/** Deeper than any real response. Bodies within this depth are safe to store and display. */
const DEPTH_MAX = 32;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Like `Array.isArray`, but the elements stay unknown. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/**
 * Returns the body as JSON. Throws a `SourceResponseError`: `blocked` for 401, 403, 429 and HTML
 * pages, `not-found` for 404, `error-answer` for other error statuses, and `damaged` for a body
 * that is empty, truncated, nested too deeply, or mostly brackets.
 */
export function requireJson(response: SourceResponse): unknown {
  rejectFailedStatus(response);
  const value = response.json();
  if (value === undefined) throw notJson(response.text);
  if (isTooDeep(value)) {
    throw new SourceResponseError('damaged', 'nested-too-deep', `nested deeper than ${DEPTH_MAX}`);
  }
  return value;
}

/** Throws a `SourceResponseError` if the HTTP status is an error. */
export function rejectFailedStatus(response: SourceResponse): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  const detail = `HTTP ${status}`;
  if (status === 401 || status === 403 || status === 429) {
    throw new SourceResponseError('blocked', `http-${status}`, detail);
  }
  if (status === 404) throw new SourceResponseError('not-found', 'http-404', detail);
  throw new SourceResponseError('error-answer', `http-${status}`, detail);
}

/** Returns true for a web page, which usually means that the source blocks this service. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 500));
}

function notJson(text: string): SourceResponseError {
  const detail = `begins with ${JSON.stringify(text.slice(0, 60))}`;
  if (text.trim() === '')
    return new SourceResponseError('damaged', 'empty-body', 'the body is empty');
  if (looksLikeHtml(text))
    return new SourceResponseError('blocked', 'html-instead-of-json', detail);
  const reason = isOversizedJson(text) ? 'overgrown-body' : 'not-json';
  return new SourceResponseError('damaged', reason, detail);
}

/**
 * Walks the value level by level, without recursion, so that a hostile body cannot exhaust the
 * stack.
 */
function isTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Object.values(value)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
