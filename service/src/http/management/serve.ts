import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { minuteLimit } from '../../metering/sliding-window-limiter.ts';
import { isStoreTrouble } from '../../storage/errors.ts';
import { problem, type Problem, PROBLEMS, renderProblem } from '../problems.ts';
import { KEY_CHALLENGE } from '../response/headers.ts';
import { withAllAuthorizations } from '../request/repeated-headers.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { handleCall, type CallLimits } from './handle-call.ts';
import type { ManagementOptions } from './options.ts';
import type { CallResult, Route } from './route.ts';
import { sayDeprecated } from './say-deprecated.ts';
import { serializeCookie, sessionCookie } from './session-cookie.ts';

/** The largest body: a list of some thousand symbols. */
const BODY_MAX_BYTES = 256 * 1024;
/**
 * Calls from one address that are not known to be anybody's: each asks the store, and whoever sends
 * thousands at once would keep everybody from it. Four people behind one address fit in, all at their most.
 */
const ARRIVALS_MAX = 32;
/** Calls of one caller that are answered at the same time. */
const CALLS_MAX = 8;
/** The same of all callers of one customer, as many as answers that are computed for it. */
const CALLS_OF_ACCOUNT_MAX = 32;
/** Changes that one caller makes in any minute. */
const WRITES_PER_MINUTE = 120;

/** Serves the table of calls. Every answer is for the one who asked alone: nothing is stored. */
export async function serveManagement(
  app: FastifyInstance,
  options: ManagementOptions,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(cookie);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
      scope.getDefaultJsonParser('error', 'error'),
    );
    const limits = {
      arrivals: new ConcurrencyLimit(ARRIVALS_MAX),
      calls: new ConcurrencyLimit(CALLS_MAX),
      accounts: new ConcurrencyLimit(CALLS_OF_ACCOUNT_MAX),
      writes: minuteLimit(options.deps.clock, WRITES_PER_MINUTE),
    };
    scope.setErrorHandler((error, _request, reply) => sendFault(reply, error, options));
    for (const path of new Set(options.routes.map((route) => route.path))) {
      servePath(scope, path, { ...options, ...limits });
    }
  });
}

/** One path with its methods; any other method is told which there are. */
function servePath(
  scope: FastifyInstance,
  path: string,
  options: ManagementOptions & CallLimits,
): void {
  const routes = options.routes.filter((route) => route.path === path);
  const cookieOf = sessionCookie(options.deps.publicUrl);
  const allowed = routes.map(({ method }) => method).join(', ');
  scope.all(
    path.replaceAll(/\{(\w+)\}/g, ':$1'),
    { exposeHeadRoute: false, onRequest: sayDeprecated(routes) },
    async (request, reply) => {
      const route = routes.find(({ method }) => method === request.method);
      if (route === undefined) {
        const detail = `This path takes ${allowed}.`;
        const refusal = problem('method-not-allowed', detail, { headers: ['Allow', allowed] });
        return sendOutcome(reply, { kind: 'refused', problem: refusal }, null, options);
      }
      const outcome = await handleCall(route, options, {
        headers: withAllAuthorizations(request.raw),
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: request.body,
        cookie: request.cookies[cookieOf.name] ?? null,
        address: options.addressOf(request),
      });
      return sendOutcome(reply, outcome, route, options);
    },
  );
}

function sendOutcome(
  reply: FastifyReply,
  outcome: CallResult,
  route: Route | null,
  options: ManagementOptions,
): FastifyReply {
  const requestId = options.nextRequestId();
  void reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': requestId });
  if ('cookie' in outcome && outcome.cookie !== undefined) {
    const { name, options: terms } = sessionCookie(options.deps.publicUrl);
    const { value, expires } = serializeCookie(outcome.cookie);
    void reply.setCookie(name, value, { ...terms, expires });
  }
  if (outcome.kind === 'refused') return sendProblem(reply, outcome.problem, requestId);
  if (outcome.kind === 'text') {
    const { fileName, mediaType, text, headers = [] } = outcome;
    for (let index = 0; index < headers.length; index += 2) {
      void reply.header(headers[index] ?? '', headers[index + 1]);
    }
    if (fileName !== undefined) {
      void reply.header('Content-Disposition', `attachment; filename="${fileName}"`);
    }
    return reply.type(mediaType).send(text);
  }
  void reply.code(route?.status ?? 200);
  return outcome.body === undefined
    ? reply.send()
    : reply.type('application/json').send(JSON.stringify(outcome.body));
}

function sendProblem(reply: FastifyReply, refusal: Problem, requestId: string): FastifyReply {
  const { status } = PROBLEMS[refusal.code];
  const { headers = [] } = refusal;
  for (let index = 0; index < headers.length; index += 2) {
    void reply.header(headers[index] ?? '', headers[index + 1]);
  }
  if (status === 401) void reply.header('WWW-Authenticate', KEY_CHALLENGE);
  if (status === 503 && !headers.includes('Retry-After')) void reply.header('Retry-After', '5');
  const body = renderProblem(refusal, requestId);
  return reply.code(status).type('application/problem+json').send(body);
}

function sendFault(reply: FastifyReply, error: unknown, options: ManagementOptions): FastifyReply {
  const requestId = options.nextRequestId();
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  void reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': requestId });
  const known = BODY_FAULTS[code] ?? (statusCode === 400 ? NOT_JSON : null);
  if (known !== null) return sendProblem(reply, known, requestId);
  const unavailable = isStoreTrouble(error);
  options.log.error(
    { err: error, requestId },
    unavailable ? 'store not available' : 'a call failed',
  );
  return sendProblem(reply, unavailable ? UNAVAILABLE : INTERNAL, requestId);
}

const inBody = { members: { parameter: 'body' } };
const NOT_JSON = problem('invalid-parameter', 'The body is not JSON.', inBody);
const BODY_FAULTS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(
    'unsupported-media-type',
    'The body is sent as application/json.',
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: problem('body-too-large', 'The body has at most 256 KiB.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: problem('invalid-parameter', 'The body is empty.', inBody),
};
const INTERNAL = problem('internal-error', 'The call failed; the instance names it in our log.');
const UNAVAILABLE = problem('data-unavailable', 'The store cannot be reached now.');
