import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { splitResponses } from '../../test/support/hostile/split-responses.ts';
import { type ReadServer, startReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer({
    limits: { headersTimeoutMs: 150, requestTimeoutMs: 200, checkIntervalMs: 20 },
  });
});
afterAll(() => server.stop());

function head(method: string, path: string, key = server.keys.good): string {
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n`;
}

/**
 * Sends bytes without closing the client's side of the connection. Returns the status codes
 * received until the server closes it.
 */
function exchange(bytes: string): Promise<number[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const { responses: answers, rest } = splitResponses(Buffer.concat(chunks).toString('latin1'));
      expect(rest).toBe('');
      resolve(answers.map(({ status }) => status));
    });
  });
}

/** Delays the responses until the server has parsed the bytes that follow the requests. */
async function whileComputing(bytes: string): Promise<number[]> {
  const gate = Promise.withResolvers<void>();
  server.world.gate.wait = gate.promise;
  const before = server.world.computed();
  const statuses = exchange(bytes);
  while (server.world.computed() === before) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  server.world.gate.wait = null;
  gate.resolve();
  return statuses;
}

test.each([
  ['malformed HTTP', 'nonsense\r\n\r\n', 405, 'ONE'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'TWO'],
  [
    'two content lengths',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'TRI',
  ],
])(
  'rejects %s only after sending the responses to earlier requests',
  async (_, bytes, status, symbol) => {
    const requestBytes = `${head('GET', `/v1/profile-stub/${symbol}`)}\r\n${bytes}`;
    expect(await whileComputing(requestBytes)).toEqual([200, status]);
  },
);

test.each([
  ['an invalid chunk', 'POST', '/v1/status-stub', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 405],
  ['an incomplete body', 'POST', '/v1/status-stub', 'Content-Length: 9\r\n\r\n', 405],
  ['an incomplete body of a read', 'GET', '/v1/nothing', 'Content-Length: 9\r\n\r\n', 404],
  ['an incomplete body of a page', 'GET', '/healthz', 'Content-Length: 9\r\n\r\n', 400],
  ['an incomplete body for an unknown path', 'POST', '/nothing', 'Content-Length: 9\r\n\r\n', 404],
])('sends exactly one response to %s', async (_, method, path, body, status) => {
  expect(await exchange(`${head(method, path)}${body}`)).toEqual([status]);
});

test('does not write 100 Continue into the middle of an earlier response', async () => {
  const first = `${head('GET', '/v1/profile-stub/FOUR')}\r\n`;
  const second = `${head('GET', '/healthz')}Expect: 100-continue\r\n\r\n`;
  // A client that did not receive 100 Continue may or may not send a body, so the server closes the
  // connection.
  expect(await whileComputing(first + second)).toEqual([200, 200]);
});

test('sends 100 Continue to a client that expects it', async () => {
  const bytes = `${head('POST', '/nothing')}Content-Length: 1\r\nExpect: 100-continue\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
  const received = await new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
  });
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  socket.destroy();
});

test('closes the connection after a protocol upgrade request, because the parser drops the bytes that follow', async () => {
  const wish = `${head('GET', '/v1/nothing')}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
  expect(await exchange(`${wish}${head('GET', '/v1/nothing')}\r\n`)).toEqual([404]);
});
