import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Exchange, ExchangeResult } from '../../platform/http-exchange.ts';
import { redact } from '../../platform/redact.ts';

/** Protocol revision of the messages sent to the service, which accepts them without a session. */
const REVISION = '2025-06-18';
const TIMEOUT_MS = 60_000;
/** Guides are the largest results. */
const BODY_BYTES_MAX = 4_000_000;

export interface ForwardingOptions {
  /** Base URL of the service, without a trailing slash. */
  url: string;
  key: string;
  exchange: Exchange;
  /** Reports a failure to the person who runs the command. */
  onFailure(message: string): void;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Creates a server that sends every request on to `/mcp` of a running service. Tools, prompts and
 * documents are those of that service, whatever its release.
 */
export async function createForwardingServer(options: ForwardingOptions): Promise<Server> {
  const instructions = await loadInstructions(options);
  const server = new Server(
    { name: 'afterbell', version: packageJson.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      ...(instructions === null ? {} : { instructions }),
    },
  );
  for (const method of FORWARDED) {
    // The service's own server has already validated the shape of its results.
    server.setRequestHandler(
      method,
      async ({ params }) => forward(options, method, params) as never,
    );
  }
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: input } = params;
    const call = forward(options, 'tools/call', { name, arguments: input });
    return call.catch((error: unknown) => renderToolFailure(error)) as never;
  });
  return server;
}

const FORWARDED = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
] as const;

/** The service rejected a request, or could not be reached. */
class ForwardingError extends Error {
  /** The problem document as text, for an agent to read. */
  readonly problem: string;

  constructor(message: string, problem: string) {
    super(message);
    this.name = 'ForwardingError';
    this.problem = problem;
  }
}

/** An agent can read the text of a failed call and correct it; an error may only end the call. */
function renderToolFailure(error: unknown) {
  if (!(error instanceof ProtocolError) || !(error.cause instanceof ForwardingError)) throw error;
  return { content: [{ type: 'text', text: error.cause.problem }], isError: true };
}

/** Returns the instructions of the service, or null if it cannot be reached yet. */
async function loadInstructions(options: ForwardingOptions): Promise<string | null> {
  const clientInfo = { name: 'afterbell-stdio', version: packageJson.version };
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo };
  const result = await forward(options, 'initialize', params).catch(() => null);
  const instructions = result?.['instructions'];
  return typeof instructions === 'string' ? instructions : null;
}

async function forward(
  options: ForwardingOptions,
  method: string,
  params: Params | undefined,
): Promise<Params> {
  try {
    const { _meta: _envelope, ...own } = params ?? {};
    return await send(options, { jsonrpc: '2.0', id: 1, method, params: own });
  } catch (error) {
    if (!(error instanceof ForwardingError)) throw error;
    options.onFailure(error.message);
    const failure = new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    failure.cause = error;
    throw failure;
  }
}

async function send({ url, key, exchange }: ForwardingOptions, message: Params): Promise<Params> {
  const reply = await exchange({
    url: new URL(`${url}/mcp`),
    method: 'POST',
    headers: {
      'X-Api-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': REVISION,
    },
    body: JSON.stringify(message),
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: BODY_BYTES_MAX,
  });
  if (reply.kind !== 'response') throw unreachable(url, reply);
  const body = parseObject(reply.text);
  const { result, error } = body ?? {};
  if (isRecord(result)) return result;
  if (isRecord(error) && typeof error['code'] === 'number') {
    throw new ProtocolError(error['code'], String(error['message']), error['data']);
  }
  throw rejected(url, reply.status, body);
}

function unreachable(
  url: string,
  failure: Exclude<ExchangeResult, { kind: 'response' }>,
): ForwardingError {
  const reason = failure.kind === 'network' ? redact(failure.detail) : failure.kind;
  const detail = `cannot reach the service at ${url} (${reason}): start it, or set SERVICE_URL`;
  return new ForwardingError(detail, JSON.stringify({ code: 'service-unreachable', detail }));
}

function rejected(url: string, status: number, body: Params | null): ForwardingError {
  const detail = typeof body?.['detail'] === 'string' ? body['detail'] : 'no MCP server is there';
  const problem = body ?? { status, detail };
  return new ForwardingError(`${url}/mcp: ${status} ${detail}`, JSON.stringify(problem));
}

function parseObject(text: string): Params | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
