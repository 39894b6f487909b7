import { type Problem, PROBLEMS, renderProblem } from '../problems.ts';
import type { HttpResponse } from './http-response.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, KEY_CHALLENGE } from './headers.ts';

/** Default Retry-After in seconds. */
const RETRY_AFTER_SECONDS = '5';

/** Renders a problem as a response that is never cached and is readable from any origin. */
export function problemResponse(
  problem: Problem,
  requestId: string,
  publicUrl: string | null,
): HttpResponse {
  const { status } = PROBLEMS[problem.code];
  const body = renderProblem(problem, { instance: requestId, publicUrl });
  const headers = [
    'Content-Type',
    'application/problem+json',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    ...COMMON_HEADERS,
    'X-Request-Id',
    requestId,
    ...withStatusHeaders(status, problem.headers ?? []),
  ];
  return { status, headers, body };
}

/** Adds the headers that the status requires, unless the problem already sets them. */
function withStatusHeaders(status: number, headers: readonly string[]): readonly string[] {
  if (status === 401) return ['WWW-Authenticate', KEY_CHALLENGE, ...headers];
  if (status === 405 && !headers.includes('Allow')) return ['Allow', ALLOWED_METHODS, ...headers];
  if (status === 503 && !headers.includes('Retry-After')) {
    return ['Retry-After', RETRY_AFTER_SECONDS, ...headers];
  }
  return headers;
}
