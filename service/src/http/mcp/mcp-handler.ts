import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Log } from '../../platform/log.ts';
import { createMcpCatalog, type McpCatalogOptions, type McpReads } from './mcp-server.ts';

/** Handles protocol messages, independently of the web framework. */
export interface McpHandler {
  /** Returns true if the message calls a tool that sends a request to the read API. */
  readsData(message: unknown): boolean;
  handle(request: Request, message: unknown, reads: McpReads): Promise<Response>;
}

/**
 * Creates the handler. Each message gets a server of its own, so nothing is kept between messages.
 * Clients of the 2025 revisions and of the stateless revision of 2026 are served alike.
 */
export function openMcpHandler(
  options: McpCatalogOptions & { log: Pick<Log, 'debug'> },
): McpHandler {
  const { log } = options;
  const catalog = createMcpCatalog(options);
  const handler = createMcpHandler(
    ({ authInfo }) => catalog.createServer(authInfo?.extra?.['reads'] as McpReads),
    {
      legacy: 'reject',
      onerror: (error) =>
        log.debug({ event: 'mcp.message_rejected', err: error }, 'message rejected'),
    },
  );

  /** The revisions of 2025 expect a connection, so each message gets one that ends with it. */
  async function handleLegacy(
    request: Request,
    message: unknown,
    reads: McpReads,
  ): Promise<Response> {
    const server = catalog.createServer(reads);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  return {
    readsData(message) {
      const call = toolCallIn(message);
      const request = call === null ? null : catalog.readRequest(call.name, call.input);
      return request !== null && 'url' in request;
    },
    async handle(request, message, reads) {
      if (Array.isArray(message)) return rejection(null, -32_600, BATCH);
      if (methodOf(message) === 'subscriptions/listen') {
        return rejection(message, -32_601, 'Subscriptions are not offered.');
      }
      if (await isLegacyRequest(request, message)) return handleLegacy(request, message, reads);
      const authInfo = { token: '', clientId: '', scopes: [], extra: { reads } };
      return handler.fetch(request, { parsedBody: message, authInfo });
    },
  };
}

const BATCH = 'Send one message per request. Batches are not part of current protocol versions.';

function rejection(message: unknown, code: number, text: string): Response {
  const id = isRecord(message) && 'id' in message ? message['id'] : null;
  return Response.json({ jsonrpc: '2.0', id, error: { code, message: text } }, { status: 400 });
}

function toolCallIn(
  message: unknown,
): { name: string; input: Readonly<Record<string, unknown>> } | null {
  if (methodOf(message) !== 'tools/call' || !isRecord(message)) return null;
  const { params } = message;
  if (!isRecord(params) || typeof params['name'] !== 'string') return null;
  const { name, arguments: input = {} } = params;
  return isRecord(input) ? { name, input } : null;
}

function methodOf(message: unknown): unknown {
  return isRecord(message) ? message['method'] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
