import { type ProblemCode, PROBLEMS, problemType } from '../problems.ts';
import type { JsonObject } from './collect-schemas.ts';

/** Codes returned only by the management API. */
const MANAGEMENT_ONLY_CODES: readonly ProblemCode[] = [
  'conflict',
  'not-signed-in',
  'too-many-attempts',
  'forbidden',
  'second-factor-required',
  'fresh-password-required',
  'body-too-large',
  'unsupported-media-type',
  'idempotency-key-in-use',
  'idempotency-key-reused',
];

/** Codes returned by the read API. */
export const READ_CODES: readonly ProblemCode[] = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  (code) => !MANAGEMENT_ONLY_CODES.includes(code),
);

/** Members of problems about a quota or a rate limit. */
const LIMIT_MEMBERS: JsonObject = {
  violatedPolicies: {
    type: 'array',
    items: { type: 'string' },
    description: 'Limits that were reached, such as `minute`, `day` or `compute`.',
  },
  limit: { type: 'integer', description: 'The limit that resets last.' },
  resetAt: { type: 'string', format: 'date-time', description: 'When that limit resets.' },
  retryable: { type: 'boolean', description: 'Whether to retry the request later.' },
};

/** Returns the schema for all error bodies (RFC 9457). */
export function problemSchema(): JsonObject {
  return {
    type: 'object',
    description:
      'An error (RFC 9457). `code` is stable. `title` and `detail` are for people and may change.',
    required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'URL of the page that explains the error.',
      },
      title: { type: 'string', description: 'Short summary of the kind of error.' },
      status: { type: 'integer', description: 'HTTP status code.' },
      code: {
        type: 'string',
        enum: READ_CODES,
        description: 'Stable code of the error, for programs.',
      },
      detail: { type: 'string', description: 'Explanation of this occurrence.' },
      instance: { type: 'string', description: 'Request id, as in `X-Request-Id`.' },
      parameter: { type: 'string', description: 'Name of the invalid or missing parameter.' },
      accepted: {
        type: 'array',
        items: { type: 'string' },
        description: 'Accepted forms of the value.',
      },
      symbol: { type: 'string', description: 'The unknown symbol.' },
      watchlist: { type: 'string', description: 'The name of the unknown watchlist.' },
      suggestions: {
        type: 'array',
        maxItems: 5,
        items: { type: 'string' },
        description: 'Similar symbols.',
      },
      successorSymbol: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        description: 'The symbol that replaced it, if any.',
      },
      requestedDate: {
        type: 'string',
        format: 'date',
        description: 'First day that the request asks for.',
      },
      earliestDate: {
        type: 'string',
        format: 'date',
        description: 'First day that the plan includes.',
      },
      resumeAfter: {
        type: 'string',
        description: 'Change after which to continue, once you have loaded all data again.',
      },
      plan: { type: 'string', description: 'Name of the plan.' },
      ...LIMIT_MEMBERS,
    },
  };
}

/**
 * Returns the shared problem responses for the codes by status, with an example for each code.
 * `headersOf` returns the headers of a status.
 */
export function problemResponses(
  codes: readonly ProblemCode[],
  headersOf: (status: number) => JsonObject,
): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const status of statusesOf(codes)) {
    const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
    responses[responseName(status)] = {
      description: ofStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: headersOf(status),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(ofStatus.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    };
  }
  return responses;
}

/** Returns references to shared problem responses, by status. */
export function problemResponseRefs(statuses: readonly number[]): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${responseName(status)}` },
    ]),
  );
}

/** Returns the statuses of the codes, ascending. */
export function statusesOf(codes: readonly ProblemCode[]): number[] {
  return [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
}

function responseName(status: number): string {
  return `Problem${status}`;
}

function exampleOf(code: ProblemCode): JsonObject {
  const { title, status, help } = PROBLEMS[code];
  return {
    type: problemType(code),
    title,
    status,
    code,
    detail: help,
    instance: 'req_q3bX0aVd1mZk1',
  };
}
