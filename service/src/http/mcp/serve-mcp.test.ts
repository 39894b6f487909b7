import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  type ReadServer,
  type Reply,
  START_AT,
  startReadServer,
} from '../../../test/support/read-server.ts';
import { createFailedAuthLimiter } from '../../metering/failed-auth-limiter.ts';
import type { CompletedRequest } from '../request-context.ts';
import { ANSWER_LENGTH_MAX } from './answer.ts';

type Refusal = Parameters<typeof startReadServer>[0];

let server: ReadServer;
const completed: CompletedRequest[] = [];
beforeAll(async () => {
  server = await startReadServer({
    onRequestCompleted: (request) => completed.push(request),
    mcpFreshness: async () => [
      {
        dataset: 'earnings',
        state: 'fresh',
        lastSuccessAt: START_AT,
        lastChangeAt: null,
        targetSeconds: null,
        feeds: [],
      },
    ],
  });
});
afterAll(() => server.stop());

type Versions = 'auto' | 'legacy';

/** Connects the SDK's own client, with the newest revision or with those of 2025. */
async function connect(mode: Versions, key: string, target: ReadServer = server): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const url = new URL(`http://127.0.0.1:${target.port}/mcp`);
  const requestInit = { headers: { 'X-Api-Key': key } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

function textOf(result: Awaited<ReturnType<Client['callTool']>>): Record<string, unknown> {
  const [content] = result.content;
  if (content?.type !== 'text') throw new Error('not text');
  return JSON.parse(content.text) as Record<string, unknown>;
}

const DAY = { name: 'calendars', arguments: { endpoint: 'calendar-stub', date: '2026-11-20' } };

test.each<[Versions, string]>([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
])('serves tools, documents and prompts to a client of the SDK (%s)', async (mode, revision) => {
  const client = await connect(mode, server.keys.good);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getInstructions()).toContain('simulated');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'earnings',
    'calendars',
    'companies',
    'market',
    'reference',
  ]);
  expect(textOf(await client.callTool(DAY))).toMatchObject({
    asOf: '2026-11-20T15:04:05Z',
    dataSource: 'synthetic',
    read: '/v1/calendar/stub?date=2026-11-20',
    data: { date: '2026-11-20' },
  });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('docs://guides/webhooks');
  const read = await client.readResource({ uri: 'docs://endpoints/calendar-stub' });
  expect(JSON.stringify(read.contents)).toContain('/v1/calendar/stub');
  await expect(client.readResource({ uri: 'docs://guides/self-hosting' })).rejects.toThrow(
    'not found',
  );
  const { prompts } = await client.listPrompts();
  expect(prompts.length).toBeGreaterThan(3);
  const prompt = {
    name: 'known-then',
    arguments: { symbol: 'NRTH', instant: '2026-11-12T21:00Z' },
  };
  expect(JSON.stringify(await client.getPrompt(prompt))).toContain('asOf 2026-11-12T21:00Z');
  await expect(client.getPrompt({ name: 'known-then' })).rejects.toThrow('symbol is required');
  await client.close();
});

test('serves a client that shares no code with the SDK', async () => {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const headers = { 'X-Api-Key': server.keys.good };
  const client = await createMCPClient({ transport: { type: 'http', url, headers } });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('calendars');
  expect((await client.listResources()).resources.length).toBeGreaterThan(5);
  const { calendars } = await client.tools();
  const result: unknown = await calendars?.execute(DAY.arguments, {
    toolCallId: 'call',
    messages: [],
    context: {},
  });
  expect(result).toMatchObject({
    content: [{ text: expect.stringContaining('/v1/calendar/stub?date=2026-11-20') as string }],
  });
  await client.close();
});

test('returns long guides in parts that fit into an answer', async () => {
  const client = await connect('auto', server.keys.good);
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const call = { name: 'reference', arguments: { topic: 'guide-webhooks', cursor } };
    const [content] = (await client.callTool(call)).content;
    const text = content?.type === 'text' ? content.text : '';
    expect(text.length).toBeLessThanOrEqual(ANSWER_LENGTH_MAX);
    cursor = /\(Continue with cursor (\S+)\)$/.exec(text)?.[1];
    parts.push(text.replace(/\n\n\(Continue.*$/, ''));
  } while (cursor !== undefined);
  const { contents } = await client.readResource({ uri: 'docs://guides/webhooks' });
  expect(parts.join('\n')).toBe(
    contents[0] !== undefined && 'text' in contents[0] && contents[0].text,
  );
  await client.close();
});

test('shows an agent the problem of a failed read, as the read API states it', async () => {
  const client = await connect('auto', server.keys.good);
  const call = { name: 'companies', arguments: { endpoint: 'profile-stub', symbol: 'NONE' } };
  const result = await client.callTool(call);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatchObject({
    code: 'unknown-symbol',
    suggestions: expect.any(Array) as [],
  });
  await expect(client.callTool({ name: 'weather', arguments: {} })).rejects.toThrow('Unknown tool');
  await client.close();
});

const MESSAGE_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

function message(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
}

function post(
  body: string,
  headers: Record<string, string> = {},
  target: ReadServer = server,
): Promise<Reply> {
  return target.post(
    '/mcp',
    { ...MESSAGE_HEADERS, 'X-Api-Key': target.keys.good, ...headers },
    body,
  );
}

test('needs no session: a single message is answered with JSON', async () => {
  const reply = await post(message('tools/call', DAY));
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.json()).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
  const notified = await post(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  );
  expect([notified.status, notified.body.length]).toEqual([202, 0]);
});

test.each<[string, (keys: ReadServer['keys']) => Record<string, string>, number, string]>([
  ['no key', () => ({ 'X-Api-Key': '' }), 401, 'missing-api-key'],
  ['an unknown key', ({ unknown }) => ({ 'X-Api-Key': unknown }), 401, 'invalid-api-key'],
  ['a revoked key', ({ revoked }) => ({ 'X-Api-Key': revoked }), 401, 'invalid-api-key'],
  ['a disabled key', ({ disabled }) => ({ 'X-Api-Key': disabled }), 403, 'api-key-disabled'],
  [
    'a suspended customer',
    ({ suspended }) => ({ 'X-Api-Key': suspended }),
    403,
    'customer-suspended',
  ],
  ['another address', ({ otherAddress }) => ({ 'X-Api-Key': otherAddress }), 403, 'ip-not-allowed'],
  ['no read scope', ({ manageOnly }) => ({ 'X-Api-Key': manageOnly }), 403, 'insufficient-scope'],
  ['two keys', ({ other }) => ({ Authorization: `Bearer ${other}` }), 400, 'invalid-parameter'],
])('rejects every message with %s', async (_, headersOf, status, code) => {
  for (const method of ['initialize', 'tools/list', 'tools/call']) {
    const reply = await post(message(method, DAY), headersOf(server.keys));
    expect([reply.status, reply.json()['code']]).toEqual([status, code]);
  }
});

test('takes the key in a header only, and never mentions a key in the URL', async () => {
  const body = message('tools/list');
  const inUrl = await server.post(`/mcp?apikey=${server.keys.good}`, MESSAGE_HEADERS, body);
  expect([inUrl.status, inUrl.json()['parameter']]).toEqual([400, 'apikey']);
  const missing = await server.post('/mcp', MESSAGE_HEADERS, body);
  expect(missing.json()['detail']).not.toContain('?apikey');
  const bearer = { ...MESSAGE_HEADERS, Authorization: `Bearer ${server.keys.good}` };
  expect(await server.post('/mcp', bearer, body)).toMatchObject({ status: 200 });
});

test('counts invalid keys toward the limit of their address', async () => {
  const clock = fakeClock(START_AT);
  const target = await startReadServer({
    clock,
    failedAuthLimiter: createFailedAuthLimiter({ clock }),
  });
  const wrong = { 'X-Api-Key': target.keys.unknown };
  const statuses = new Set<number>();
  for (let n = 0; n < 100; n++) {
    statuses.add((await post(message('tools/list'), wrong, target)).status);
  }
  expect([...statuses]).toEqual([401, 429]);
  await target.stop();
});

test.each(['GET', 'DELETE', 'PUT'])(
  'answers %s with 405, because there is no session',
  async (method) => {
    const reply = await server.get('/mcp', { 'X-Api-Key': server.keys.good }, method);
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  },
);

test.each([
  ['http://data.example', true],
  ['http://localhost:6274', true],
  ['http://127.0.0.1:3000', true],
  ['https://[::1]:3000', true],
  ['http://data.example.evil.test', false],
  ['http://localhost.evil.test', false],
  ['http://rebound.test', false],
  ['null', false],
  ['file://', false],
])('decides by its origin whether a page may call (%s)', async (origin, isAllowed) => {
  const reply = await post(message('tools/list'), { Origin: origin });
  const preflight = await server.get('/mcp', { Origin: origin }, 'OPTIONS');
  if (isAllowed) {
    expect([reply.status, preflight.status]).toEqual([200, 204]);
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
    expect(preflight.headers['access-control-allow-headers']).toContain('X-Api-Key');
  } else {
    expect([reply.status, preflight.status]).toEqual([403, 403]);
    expect(reply.json()['code']).toBe('forbidden');
  }
});

test.each([
  ['broken JSON', '{"jsonrpc"', {}, 400, 'invalid-parameter'],
  ['an empty body', '', {}, 400, 'invalid-parameter'],
  ['another media type', 'x', { 'Content-Type': 'text/plain' }, 415, 'unsupported-media-type'],
  ['a body over 256 KiB', `"${'x'.repeat(300_000)}"`, {}, 413, 'body-too-large'],
] as const)('rejects %s with a problem', async (_, body, headers, status, code) => {
  const reply = await post(body, headers);
  expect([reply.status, reply.json()['code']]).toEqual([status, code]);
});

test.each([
  ['a batch', `[${message('tools/list')}]`],
  ['a subscription, of which there is none', message('subscriptions/listen')],
  ['a message that is none', '{}'],
  ['a revision that does not exist', message('tools/list')],
])('rejects %s as the protocol says', async (name, body) => {
  const version = name.includes('revision') ? '1999-01-01' : '2025-06-18';
  const reply = await post(body, { 'MCP-Protocol-Version': version });
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { code: expect.any(Number) as number },
  });
});

test('logs a tool call as the read it is, and other messages as messages', async () => {
  completed.length = 0;
  await post(message('tools/call', DAY));
  await post(message('tools/list'));
  await post(message('tools/call', { name: 'calendars', arguments: { endpoint: 'none' } }));
  expect(
    completed.map(({ method, endpoint, path, status }) => [method, endpoint, path, status]),
  ).toEqual([
    ['GET', 'calendar-stub', '/v1/calendar/stub?date=2026-11-20', 200],
    ['POST', 'mcp', '/mcp', 200],
    ['POST', 'mcp', '/mcp', 200],
  ]);
});

test('charges a tool call like the same read, and other messages to the minute alone', async () => {
  const visits: unknown[] = [];
  const target = await startReadServer({
    checkQuota: ({ endpoint, cost }) => {
      visits.push([endpoint.name, cost]);
      return {
        kind: 'admitted',
        headers: ['RateLimit', '"minute";r=3;t=5'],
        refund: () => undefined,
      };
    },
  });
  const read = await post(message('tools/call', DAY), {}, target);
  const listed = await post(message('tools/list'), {}, target);
  expect(visits).toEqual([
    ['calendar-stub', 'all'],
    ['mcp', 'minute'],
  ]);
  expect([read.headers['ratelimit'], listed.headers['ratelimit']]).toEqual([
    '"minute";r=3;t=5',
    '"minute";r=3;t=5',
  ]);
  await target.stop();
});

test('tells an agent when it may retry, once a quota is used up', async () => {
  const refused: Refusal = {
    checkQuota: () => ({
      kind: 'refused',
      refusal: { code: 'quota-exceeded', detail: 'Used up.', headers: ['Retry-After', '17'] },
    }),
  };
  const target = await startReadServer(refused);
  const call = await post(message('tools/call', DAY), {}, target);
  expect(call.status).toBe(200);
  const { result } = call.json() as { result: { isError: boolean; content: { text: string }[] } };
  expect(result.isError).toBe(true);
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    code: 'quota-exceeded',
    retryAfterSeconds: 17,
  });
  const listed = await post(message('tools/list'), {}, target);
  expect([listed.status, listed.headers['retry-after']]).toEqual([429, '17']);
  await target.stop();
});

test("applies the history window of the client's plan", async () => {
  const old = { name: 'calendars', arguments: { endpoint: 'calendar-stub', date: '2020-01-06' } };
  const client = await connect('auto', server.keys.short);
  const result = await client.callTool(old);
  expect(textOf(result)).toMatchObject({ code: 'history-window-exceeded', plan: 'short' });
  await client.close();
});
