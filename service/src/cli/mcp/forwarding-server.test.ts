import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { Exchange, ExchangeResult } from '../../platform/http-exchange.ts';
import { createForwardingServer } from './forwarding-server.ts';

type Message = { method: string; params: Record<string, unknown> };

/** Connects a client to a server that forwards to `respond`. */
async function connect(respond: (message: Message) => ExchangeResult) {
  const failures: string[] = [];
  const sent: { url: string; headers: Readonly<Record<string, string>>; message: Message }[] = [];
  const exchange: Exchange = async ({ url, headers, body = '' }) => {
    const message = JSON.parse(body) as Message;
    sent.push({ url: url.href, headers, message });
    return respond(message);
  };
  const server = await createForwardingServer({
    url: 'http://127.0.0.1:8080',
    key: 'eds_test_key',
    exchange,
    onFailure: (failure) => failures.push(failure),
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(clientSide);
  return { client, sent, failures };
}

function reply(body: object, status = 200): ExchangeResult {
  return {
    kind: 'response',
    status,
    contentType: 'application/json',
    location: undefined,
    retryAfter: undefined,
    date: undefined,
    cookies: [],
    text: JSON.stringify(body),
  };
}

test('passes on the requests with the key, and the instructions and results of the service', async () => {
  const { client, sent } = await connect(({ method }) =>
    reply({
      result:
        method === 'initialize'
          ? { instructions: 'The market is simulated.' }
          : { content: [{ type: 'text', text: '{"rows":0}' }] },
    }),
  );
  expect(client.getInstructions()).toBe('The market is simulated.');
  const result = await client.callTool({
    name: 'market',
    arguments: { endpoint: 'market-status' },
  });
  expect(result.content).toEqual([{ type: 'text', text: '{"rows":0}' }]);
  expect(sent.at(-1)).toMatchObject({
    url: 'http://127.0.0.1:8080/mcp',
    headers: { 'X-Api-Key': 'eds_test_key' },
    message: {
      method: 'tools/call',
      params: { name: 'market', arguments: { endpoint: 'market-status' } },
    },
  });
  // A revision's metadata would make the service apply the rules of that revision.
  expect(sent.at(-1)?.message.params).not.toHaveProperty('_meta');
});

test('shows an agent the problem if the service rejects a tool call, and reports it', async () => {
  const problem = { code: 'invalid-api-key', status: 401, detail: 'The API key is invalid.' };
  const { client, failures } = await connect(() => reply(problem, 401));
  const result = await client.callTool({ name: 'market' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('invalid-api-key') as string }],
  });
  expect(failures.at(-1)).toBe('http://127.0.0.1:8080/mcp: 401 The API key is invalid.');
  await expect(client.listTools()).rejects.toThrow('The API key is invalid.');
});

test('says how to start the service if it cannot be reached', async () => {
  const { client } = await connect(() => ({ kind: 'network', detail: 'ECONNREFUSED' }));
  const result = await client.callTool({ name: 'market' });
  const [content] = result.content;
  expect(content?.type === 'text' && content.text).toMatch(/ECONNREFUSED.*set SERVICE_URL/);
});

test('passes on an error of the protocol as it is', async () => {
  const { client } = await connect(({ method }) =>
    reply(
      method === 'tools/call'
        ? { error: { code: -32_602, message: 'Unknown tool x.' } }
        : { result: {} },
    ),
  );
  await expect(client.callTool({ name: 'x' })).rejects.toThrow('Unknown tool x.');
});
