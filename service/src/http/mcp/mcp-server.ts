import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { DatasetFreshness } from '../../datasets/freshness/freshness.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Guide } from '../guides/load-guides.ts';
import type { Problem } from '../problems.ts';
import { type Answer, renderAnswer, renderProblemAnswer } from './answer.ts';
import { PROMPTS } from './prompts.ts';
import type { ReadReply } from './read-reply.ts';
import { referencePages, referenceTool, renderReference } from './reference.ts';
import { parseToolArguments, type ToolRequest } from './tool-arguments.ts';
import { readTools } from './tools.ts';

/** Access to the data on behalf of one client. */
export interface McpReads {
  /** Sends a GET request to the read API as the client. */
  read(url: string): Promise<ReadReply>;
}

/** Tools, documents and prompts, which are the same for all clients. */
export interface McpCatalog {
  /**
   * Translates a tool call into the request of the read API that answers it. Returns null for a
   * tool that reads no data.
   */
  readRequest(name: string, input: Input): ToolRequest | { refusal: Problem } | null;
  createServer(reads: McpReads): Server;
}

type Input = Readonly<Record<string, unknown>>;

export interface McpCatalogOptions {
  endpoints: readonly Endpoint[];
  guides: readonly Guide[];
  publicUrl: string;
  brand: string;
  isSynthetic: boolean;
  now(): Instant;
  freshness(): Promise<readonly DatasetFreshness[]>;
}

export function createMcpCatalog(options: McpCatalogOptions): McpCatalog {
  const { endpoints, brand, isSynthetic, now, freshness } = options;
  const tools = readTools(endpoints);
  const pages = referencePages(options);
  const listed = [
    ...tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
    })),
    referenceTool(pages),
  ].map((tool) => ({ ...tool, annotations: READ_ONLY }));

  function readRequest(name: string, input: Input): ReturnType<McpCatalog['readRequest']> {
    const tool = tools.find((candidate) => candidate.name === name);
    return tool === undefined ? null : parseToolArguments(tool.endpoints, input);
  }

  async function callTool(name: string, input: Input, { read }: McpReads): Promise<Answer> {
    if (name === 'reference') return renderReference(pages, input);
    const request = readRequest(name, input);
    if (request === null) {
      const message = `Unknown tool ${name}. Tools: ${listed.map((tool) => tool.name).join(', ')}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    if ('refusal' in request) return renderProblemAnswer(request.refusal);
    const [reply, state] = await Promise.all([read(request.url), freshness()]);
    return renderAnswer(request, reply, { freshness: state, now: now() });
  }

  function createServer(reads: McpReads): Server {
    const server = new Server(
      { name: serverName(brand), title: `${brand} earnings data`, version: packageJson.version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: instructionsOf(isSynthetic),
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listed }));
    server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
      const { text, isError } = await callTool(params.name, params.arguments ?? {}, reads);
      return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
    });
    addResources(server, pages);
    addPrompts(server);
    return server;
  }

  return { readRequest, createServer };
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

/** A brand is free text; a server name is an identifier. */
function serverName(brand: string): string {
  const name = brand
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return name === '' ? 'earnings-data' : name;
}

function instructionsOf(isSynthetic: boolean): string {
  return [
    'Earnings dates, results, surprises and price reactions of U.S. companies, with economic, IPO and dividend calendars and market hours.',
    'Answers are JSON. A missing field is unknown: say so, never guess. Dates are New York days, instants are UTC, percent fields are percentage points.',
    'asOf, sources and lagSeconds state how current an answer is. late names data sets that are behind.',
    'To learn what was known at a past instant, pass asOf; with known=public, what was public then, also before this service had data. To see how one report changed, call earnings-revisions with its id.',
    'Pass fields and limit to keep answers short. If an answer has a cursor, more rows follow.',
    ...(isSynthetic ? ['The market is simulated: companies and figures are made up.'] : []),
  ].join('\n');
}

function addResources(server: Server, pages: ReturnType<typeof referencePages>): void {
  server.setRequestHandler('resources/list', () => ({
    resources: pages.map(({ uri, topic, title, summary }) => ({
      uri,
      name: topic,
      title,
      description: summary,
      mimeType: 'text/markdown',
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const page = pages.find((candidate) => candidate.uri === uri);
    if (page === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: page.text }] };
  });
}

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ render: _render, arguments: parameters, ...prompt }) => ({
      ...prompt,
      arguments: [...parameters],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    const values = params.arguments ?? {};
    const missing = prompt?.arguments.find(({ name, required }) => required && !values[name]);
    if (prompt === undefined || missing !== undefined) {
      const message = missing === undefined ? 'Unknown prompt.' : `${missing.name} is required.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const text = prompt.render(values);
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    };
  });
}
