import type { FastifyInstance } from 'fastify';
import { problem, type Problem } from '../problems.ts';

/** Large enough for a list of several thousand symbols. */
const BODY_MAX_BYTES = 256 * 1024;

/** Accepts JSON bodies of a limited size in a scope, and no other media type. */
export function acceptJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
    scope.getDefaultJsonParser('error', 'error'),
  );
}

/** Returns the problem for a body that could not be read, or null for any other error. */
export function bodyProblemOf(error: unknown): Problem | null {
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  return BODY_PROBLEMS[code] ?? (statusCode === 400 ? NOT_JSON : null);
}

const inBody = { members: { parameter: 'body' } };
const NOT_JSON = problem('invalid-parameter', 'The body is not valid JSON.', inBody);
const BODY_PROBLEMS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(
    'unsupported-media-type',
    'Send the body as application/json.',
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: problem('body-too-large', 'The body may have at most 256 KiB.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: problem('invalid-parameter', 'The body is empty.', inBody),
};
