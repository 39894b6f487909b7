import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadServer, send, startReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

describe('requests that Node.js rejects itself', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 405, 'method-not-allowed'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
    ['an unsupported version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'invalid-parameter'],
    ['a malformed header', 'GET / HTTP/1.1\r\nHost a\r\n\r\n', 400, 'invalid-parameter'],
    [
      'two Host headers',
      'GET /v1/x HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n',
      400,
      'invalid-parameter',
    ],
    [
      'two Host headers on a page',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
      400,
      'invalid-parameter',
    ],
    ['a missing Host header', 'GET /v1/x HTTP/1.1\r\n\r\n', 400, 'invalid-parameter'],
    [
      'two content lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'invalid-parameter',
    ],
    [
      'a content length with a transfer encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid-parameter',
    ],
    [
      'headers over 8 KiB',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(9_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'a URL over the header limit',
      `GET /${'y'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      414,
      'uri-too-long',
    ],
  ])('returns a problem document for %s', async (_, text, status, code) => {
    const answer = await server.raw(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Content-Type: application/problem+json');
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toMatchObject({ status, code });
  });

  test('rejects a request that does not arrive completely in time', async () => {
    const slow = await startReadServer({
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 60, checkIntervalMs: 10 },
    });
    const socket = connect(slow.port, '127.0.0.1');
    socket.write('GET /v1/status-stub HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*did not arrive in time/);
    await slow.stop();
  });
});

test('ignores the scheme and host of an absolute URL', async () => {
  const text = `GET http://elsewhere/v1/status-stub?apikey=${server.keys.good} HTTP/1.1\r\n`;
  const answer = await server.raw(`${text}Host: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['two of Authorization', 'Authorization: Bearer ', 'other', 400],
  ['two of X-Api-Key', 'X-Api-Key: ', 'other', 400],
  ['two of Authorization, the same', 'Authorization: Bearer ', 'good', 200],
  ['two of X-Api-Key, the same', 'X-Api-Key: ', 'good', 200],
] as const)('reads the API keys from %s', async (_, header, second, status) => {
  const { keys } = server;
  const answer = await server.raw(
    `GET /v1/status-stub HTTP/1.1\r\nHost: a\r\nConnection: close\r\n` +
      `${header}${keys.good}\r\n${header}${keys[second]}\r\n\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  if (status === 400) expect(answer).toContain('"parameter":"apikey"');
});

test('responds to pipelined requests in order', async () => {
  const requestLine = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${server.keys.good}\r\n`;
  const answer = await server.raw(
    `${requestLine('/v1/calendar/stub?date=2026-11-20')}\r\n${requestLine('/v1/nothing')}\r\n` +
      `${requestLine('/v1/profile-stub/ABC')}Connection: close\r\n\r\n`,
  );
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '404', '200']);
});

test('closes a connection after its last allowed request', async () => {
  const short = await startReadServer({ limits: { requestsPerSocketMax: 2 } });
  const request = 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n';
  const answer = await short.raw(request.repeat(3));
  expect([...answer.matchAll(/HTTP\/1\.1 404/g)]).toHaveLength(2);
  expect(answer).toContain('Connection: close');
  await short.stop();
});

test('limits connections per address and rejects any above the limit with a problem document', async () => {
  const small = await startReadServer({ limits: { connectionsPerAddressMax: 2 } });
  const sockets = [connect(small.port, '127.0.0.1'), connect(small.port, '127.0.0.1')];
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answer = await small.raw('');
  expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*temporary-reduced-capacity/);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  await small.stop();
});

test('does not limit the number of connections from a trusted proxy', async () => {
  const small = await startReadServer({
    limits: { connectionsPerAddressMax: 1 },
    trustProxy: ['127.0.0.0/8'],
  });
  const socket = connect(small.port, '127.0.0.1');
  await once(socket, 'connect');
  expect((await send(small.port, { path: '/v1/nothing' })).status).toBe(404);
  socket.destroy();
  await small.stop();
});

test.each([
  ['no proxy is trusted', undefined, '127.0.0.1'],
  ['the proxy is trusted', ['127.0.0.1'], '203.0.113.9'],
])('when %s, uses the correct client address', async (_, trustProxy, expected) => {
  const addresses: string[] = [];
  const testServer = await startReadServer({
    checkQuota: (visit) => {
      addresses.push(visit.remoteAddress);
      return { kind: 'admitted', headers: [], refund: () => undefined };
    },
    ...(trustProxy === undefined ? {} : { trustProxy }),
  });
  await testServer.get('/v1/status-stub', {
    'X-Api-Key': testServer.keys.good,
    'X-Forwarded-For': '198.51.100.1, 203.0.113.9',
  });
  expect(addresses).toEqual([expected]);
  await testServer.stop();
});

test('warns only once about a forwarded address from an untrusted proxy', async () => {
  const testServer = await startReadServer();
  for (const path of ['/v1/nothing', '/v1/nothing']) {
    await testServer.get(path, { 'X-Forwarded-For': '203.0.113.9' });
  }
  const warned = testServer.log.entries.filter(({ level }) => level === 'warn');
  expect(warned.map(({ message }) => message)).toEqual([expect.stringContaining('TRUST_PROXY')]);
  await testServer.stop();
  const trusting = await startReadServer({ trustProxy: ['127.0.0.1'] });
  await trusting.get('/v1/nothing', { 'X-Forwarded-For': '203.0.113.9' });
  expect(trusting.log.entries).toEqual([]);
  await trusting.stop();
});

test('finishes running requests and accepts no new ones while the server is closing', async () => {
  const testServer = await startReadServer();
  const gate = Promise.withResolvers<void>();
  testServer.world.gate.wait = gate.promise;
  const running = testServer.get('/v1/calendar/stub?date=2026-11-20', {
    'X-Api-Key': testServer.keys.good,
  });
  while (testServer.world.computed() === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = testServer.server.close();
  await expect(send(testServer.port, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
  gate.resolve();
  expect((await running).status).toBe(200);
  await closed;
  await testServer.stop();
});

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test.each(['POST', 'DELETE'])(
  'responds to a %s request that has a media type but no body instead of waiting for the body',
  async (method) => {
    const head = 'Host: a\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n';
    const reply = await server.raw(`${method} /account/v1/nothing HTTP/1.1\r\n${head}`);
    expect(reply).toMatch(/^HTTP\/1\.1 4/);
  },
);
