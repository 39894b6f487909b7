import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSlidingWindowLimiter } from '../../metering/sliding-window-limiter.ts';
import { isStoreTrouble } from '../../storage/errors.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { problem, type Problem, PROBLEMS, renderProblem } from '../problems.ts';
import { acceptJsonBodies, bodyProblemOf } from '../request/json-body.ts';
import { withAllAuthorizations } from '../request/repeated-headers.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import { KEY_CHALLENGE } from '../response/headers.ts';
import { type CallLimits, handleCall, type ManagementOptions } from './handle-call.ts';
import type { CallResult, Route } from './route.ts';
import { serializeCookie, sessionCookie } from './session-cookie.ts';

/**
 * Maximum number of concurrent calls from one address before the caller has been identified. Each
 * of these calls queries the store, so thousands at once would block everyone. The limit allows
 * four people behind one address to work at full speed.
 */
const UNIDENTIFIED_MAX = 32;
/**
 * Maximum number of concurrent calls from one caller. A browser sends six at once, and calls of a page
 * that was left may still wait for their turn.
 */
const CALLS_MAX = 16;
/**
 * Maximum number of concurrent calls for one customer, equal to the limit on responses that the
 * read API computes at once.
 */
const CALLS_OF_ACCOUNT_MAX = 32;
/** Maximum number of changes per minute for each caller. */
const WRITES_PER_MINUTE = 120;

/**
 * Serves the calls in the route table. Responses are private to the caller and are never cached.
 */
export async function serveManagement(
  app: FastifyInstance,
  options: ManagementOptions,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(cookie);
    acceptJsonBodies(scope);
    const limits = {
      unidentified: new ConcurrencyLimit(UNIDENTIFIED_MAX),
      calls: new ConcurrencyLimit(CALLS_MAX),
      accounts: new ConcurrencyLimit(CALLS_OF_ACCOUNT_MAX),
      writes: createSlidingWindowLimiter(options.deps.clock, WRITES_PER_MINUTE),
    };
    scope.setErrorHandler((error, _request, reply) => sendError(reply, error, options));
    for (const path of new Set(options.routes.map((route) => route.path))) {
      servePath(scope, path, { ...options, ...limits });
    }
  });
}

/** Serves all methods on a path. Other methods receive a 405 that lists the allowed methods. */
function servePath(
  scope: FastifyInstance,
  path: string,
  options: ManagementOptions & CallLimits,
): void {
  const routes = options.routes.filter((route) => route.path === path);
  const { name: cookieName } = sessionCookie(options.deps.publicUrl);
  const allowed = routes.map(({ method }) => method).join(', ');
  const routeOf = ({ method }: FastifyRequest) => routes.find((route) => route.method === method);

  // Checked before the body is read, because a body of any kind does not make the method exist.
  async function rejectOtherMethods(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    if (routeOf(request) !== undefined) return undefined;
    const detail = `Allowed methods: ${allowed}.`;
    const reason = problem('method-not-allowed', detail, { headers: ['Allow', allowed] });
    return sendResult(reply, { kind: 'rejected', problem: reason }, null, options);
  }

  scope.all(
    path.replaceAll(/\{(\w+)\}/g, ':$1'),
    { exposeHeadRoute: false, onRequest: [announceDeprecation(routes), rejectOtherMethods] },
    async (request, reply) => {
      const route = routeOf(request);
      if (route === undefined) throw new Error('a call without a route was not rejected');
      const result = await handleCall(route, options, {
        headers: withAllAuthorizations(request.raw),
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: request.body,
        cookie: request.cookies[cookieName] ?? null,
        address: options.addressOf(request),
        whenClosed: (listener) => void reply.raw.once('close', listener),
      });
      return sendResult(reply, result, route, options);
    },
  );
}

/**
 * Adds the deprecation headers before anything else, so that problem and error responses include
 * them too.
 */
function announceDeprecation(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const headersOf = new Map<string, Record<string, string>>(
    routes.map((route) => [route.method, joinHeaders(deprecationHeaders(route) ?? [])]),
  );
  return async ({ method }, reply) => {
    void reply.headers(headersOf.get(method) ?? {});
  };
}

/** Joins repeated headers, such as `Link`, with commas. */
function joinHeaders(pairs: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < pairs.length; index += 2) {
    const [name = '', value = ''] = pairs.slice(index, index + 2);
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function sendResult(
  reply: FastifyReply,
  result: CallResult,
  route: Route | null,
  options: ManagementOptions,
): FastifyReply {
  const requestId = options.nextRequestId();
  const origin = { instance: requestId, publicUrl: options.deps.configuredUrl };
  void reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': requestId });
  if ('cookie' in result && result.cookie !== undefined) {
    const { name, options: attributes } = sessionCookie(options.deps.publicUrl);
    const { value, lifetime } = serializeCookie(result.cookie, options.deps.clock.now());
    void reply.setCookie(name, value, { ...attributes, ...lifetime });
  }
  if (result.kind === 'rejected') return sendProblem(reply, result.problem, origin);
  if (result.kind === 'text') {
    const { fileName, mediaType, text, headers = [] } = result;
    addHeaders(reply, headers);
    if (fileName !== undefined) {
      void reply.header('Content-Disposition', `attachment; filename="${fileName}"`);
    }
    return reply.type(mediaType).send(text);
  }
  if (result.isReplayed === true) void reply.header('Idempotent-Replayed', 'true');
  void reply.code(route?.status ?? 200);
  return result.body === undefined
    ? reply.send()
    : reply.type('application/json').send(JSON.stringify(result.body));
}

function sendProblem(
  reply: FastifyReply,
  reason: Problem,
  origin: Parameters<typeof renderProblem>[1],
): FastifyReply {
  const { status } = PROBLEMS[reason.code];
  const { headers = [] } = reason;
  addHeaders(reply, headers);
  if (status === 401) void reply.header('WWW-Authenticate', KEY_CHALLENGE);
  if (status === 503 && !headers.includes('Retry-After')) void reply.header('Retry-After', '5');
  const body = renderProblem(reason, origin);
  return reply.code(status).type('application/problem+json').send(body);
}

function addHeaders(reply: FastifyReply, pairs: readonly string[]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    void reply.header(pairs[index] ?? '', pairs[index + 1]);
  }
}

function sendError(reply: FastifyReply, error: unknown, options: ManagementOptions): FastifyReply {
  const requestId = options.nextRequestId();
  const origin = { instance: requestId, publicUrl: options.deps.configuredUrl };
  void reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': requestId });
  const bodyProblem = bodyProblemOf(error);
  if (bodyProblem !== null) return sendProblem(reply, bodyProblem, origin);
  const isUnavailable = isStoreTrouble(error);
  options.log.error(
    { event: isUnavailable ? 'store.unavailable' : 'http.request_failed', err: error, requestId },
    isUnavailable ? 'store unavailable' : 'management call failed',
  );
  return sendProblem(reply, isUnavailable ? UNAVAILABLE : INTERNAL, origin);
}

const INTERNAL = problem(
  'internal-error',
  'The call failed. Report the value of `instance` to the operator.',
);
const UNAVAILABLE = problem('data-unavailable', 'The store is temporarily unavailable.');
