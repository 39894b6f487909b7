import { type ProblemCode, PROBLEMS, problemType } from '../problems.ts';
import type { JsonObject } from './collect-schemas.ts';
import { problemHeaderRefs } from './response-headers.ts';

/** Codes that only the management calls answer with. */
const NOT_OF_READS: readonly ProblemCode[] = [
  'conflict',
  'not-signed-in',
  'too-many-attempts',
  'forbidden',
  'fresh-password-required',
  'body-too-large',
  'unsupported-media-type',
];

const READ_CODES = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  (code) => !NOT_OF_READS.includes(code),
);

/** The body of every error, RFC 9457. */
export function problemSchema(): JsonObject {
  return {
    type: 'object',
    description: 'An error (RFC 9457). `code` is stable; `title` and `detail` are for people.',
    required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Where it is explained.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string', enum: READ_CODES },
      detail: { type: 'string' },
      instance: { type: 'string', description: 'The request id, as in `X-Request-Id`.' },
      parameter: { type: 'string', description: 'The parameter at fault.' },
      accepted: { type: 'array', items: { type: 'string' }, description: 'Forms understood.' },
      symbol: { type: 'string' },
      suggestions: { type: 'array', maxItems: 5, items: { type: 'string' } },
      successorSymbol: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      requestedDate: { type: 'string', format: 'date' },
      earliestDate: { type: 'string', format: 'date' },
      plan: { type: 'string' },
      violatedPolicies: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer' },
      resetAt: { type: 'string', format: 'date-time' },
      retryable: { type: 'boolean' },
    },
  };
}

/** One shared response a status, with an example a code. */
export function problemResponses(): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const status of statuses()) {
    const codes = READ_CODES.filter((code) => PROBLEMS[code].status === status);
    responses[responseName(status)] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: problemHeaderRefs(status),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    };
  }
  return responses;
}

/** The references to all of them, by status. */
export function problemResponseRefs(): JsonObject {
  return Object.fromEntries(
    statuses().map((status) => [
      String(status),
      { $ref: `#/components/responses/${responseName(status)}` },
    ]),
  );
}

function statuses(): number[] {
  return [...new Set(READ_CODES.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
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
