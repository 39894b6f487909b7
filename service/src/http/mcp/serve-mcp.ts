import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { isStoreTrouble } from '../../storage/errors.ts';
import { problem, type Problem } from '../problems.ts';
import type { ReadApi } from '../read-api.ts';
import { acceptJsonBodies, bodyProblemOf } from '../request/json-body.ts';
import { withAllAuthorizations } from '../request/repeated-headers.ts';
import type { HttpResponse, ReadRequest } from '../response/http-response.ts';
import { type AdmissionOptions, admitMessage } from './admission.ts';
import { isAllowedOrigin } from './allowed-origin.ts';
import type { McpHandler } from './mcp-handler.ts';
import { type ReadReply, readReplyOf } from './read-reply.ts';

const PATH = '/mcp';

export interface ServeMcpOptions extends AdmissionOptions {
  readApi: Pick<ReadApi, 'handle' | 'reject'>;
  /** Loads the protocol implementation on first use, because most services never need it. */
  loadHandler(): Promise<McpHandler>;
  publicUrl: string;
  log: Pick<Log, 'error'>;
  addressOf(request: FastifyRequest): string;
}

/**
 * Serves MCP over streamable HTTP. The service keeps no session: every message is a POST of its
 * own, with the API key in a header. A tool call is a request of the read API with the client's key
 * and address, so keys, quotas, history limits and logging are those of any other read.
 */
export async function serveMcp(app: FastifyInstance, options: ServeMcpOptions): Promise<void> {
  await app.register(async (scope) => {
    acceptJsonBodies(scope);
    scope.setErrorHandler((error, _request, reply) => sendFailure(reply, error, options));
    scope.all(PATH, { exposeHeadRoute: false }, async (request, reply) => {
      const refusal = checkRequest(request, options.publicUrl);
      if (refusal !== null) return sendProblem(reply, refusal, options);
      allowOrigin(request, reply);
      if (request.method === 'OPTIONS') return reply.code(204).headers(PREFLIGHT_HEADERS).send();
      return serveMessage(request, reply, options);
    });
  });
}

function checkRequest(
  { method, headers, query }: FastifyRequest,
  publicUrl: string,
): Problem | null {
  if (!isAllowedOrigin(headers.origin, publicUrl)) return FOREIGN_ORIGIN;
  if (method !== 'POST' && method !== 'OPTIONS') return POST_ONLY;
  return 'apikey' in (query as object) ? KEY_IN_URL : null;
}

async function serveMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServeMcpOptions,
): Promise<FastifyReply> {
  const handler = await options.loadHandler();
  const client = clientOf(request, options);
  const readsData = handler.readsData(request.body);
  const admitted = await admitMessage(options, client, { readsData });
  if ('refusal' in admitted) return sendProblem(reply, admitted.refusal, options);
  addHeaders(reply, admitted.headers);

  async function read(url: string): Promise<ReadReply> {
    const whenClosed = (listener: () => void): void => void reply.raw.once('close', listener);
    const response = await options.readApi.handle({ ...client, method: 'GET', url, whenClosed });
    addQuotaHeaders(reply, response);
    return readReplyOf(response);
  }

  const response = await handler.handle(webRequestOf(request, options), request.body, { read });
  admitted.complete(response.status);
  const mediaType = response.headers.get('content-type');
  if (mediaType !== null) void reply.header('Content-Type', mediaType);
  void reply.header('Cache-Control', 'no-store');
  return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
}

/** Returns the client's key and address, without the headers that concern only the message. */
function clientOf(
  request: FastifyRequest,
  { addressOf }: Pick<ServeMcpOptions, 'addressOf'>,
): ReadRequest {
  const { authorization, 'x-api-key': apiKey } = withAllAuthorizations(request.raw);
  const headers = { authorization, 'x-api-key': apiKey };
  return { method: 'POST', url: PATH, headers, remoteAddress: addressOf(request) };
}

/** Passes on the headers of the protocol. The key has already been checked and stays here. */
function webRequestOf(
  { headers }: FastifyRequest,
  { publicUrl }: Pick<ServeMcpOptions, 'publicUrl'>,
): Request {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    PASSED_HEADER.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(new URL(PATH, publicUrl), { method: 'POST', headers: passed });
}

const PASSED_HEADER = /^(?:accept|content-type|mcp-[\w-]+)$/;

function addQuotaHeaders(reply: FastifyReply, { headers }: HttpResponse): void {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (/^(?:ratelimit|x-request-id)/i.test(name)) void reply.header(name, headers[index + 1]);
  }
}

function addHeaders(reply: FastifyReply, pairs: readonly string[]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    void reply.header(pairs[index] ?? '', pairs[index + 1]);
  }
}

/** Pages of allowed origins may read responses; the read API allows every origin. */
function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  if (origin === undefined) return;
  void reply.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': '*',
    Vary: 'Origin',
  });
}

const PREFLIGHT_HEADERS = {
  Allow: 'POST, OPTIONS',
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, X-Api-Key, Accept, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '86400',
};

function sendProblem(
  reply: FastifyReply,
  refusal: Problem,
  { readApi }: Pick<ServeMcpOptions, 'readApi'>,
): FastifyReply {
  const { status, headers, body } = readApi.reject(refusal);
  addHeaders(reply, headers);
  return reply.code(status).send(body);
}

function sendFailure(reply: FastifyReply, error: unknown, options: ServeMcpOptions): FastifyReply {
  const bodyProblem = bodyProblemOf(error);
  if (bodyProblem !== null) return sendProblem(reply, bodyProblem, options);
  const isUnavailable = isStoreTrouble(error);
  options.log.error(
    { event: isUnavailable ? 'store.unavailable' : 'http.request_failed', err: error, path: PATH },
    isUnavailable ? 'store unavailable' : 'mcp message failed',
  );
  return sendProblem(reply, isUnavailable ? UNAVAILABLE : INTERNAL, options);
}

const POST_ONLY = problem(
  'method-not-allowed',
  'MCP messages are sent by POST. There is no session to end and no stream to open.',
  { headers: ['Allow', 'POST, OPTIONS'] },
);
const FOREIGN_ORIGIN = problem(
  'forbidden',
  'Pages of other sites may not call this address. Call it from a program.',
);
const KEY_IN_URL = problem(
  'invalid-parameter',
  'Send the API key as X-Api-Key or Authorization: Bearer, not in the URL: URLs end up in logs.',
  { members: { parameter: 'apikey' } },
);
const INTERNAL = problem(
  'internal-error',
  'The message failed because of an error on our side. Quote `instance` when you contact support.',
);
const UNAVAILABLE = problem('data-unavailable', 'The store is temporarily unavailable.');
