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

/** Sends bytes without ending our side; the statuses of what came until the server closed. */
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

/** Lets answers wait until the server has seen what comes after them. */
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
  ['no HTTP', 'nonsense\r\n\r\n', 405, 'ONE'],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'TWO'],
  [
    'two lengths',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'TRI',
  ],
])('%s is refused after the answers to what was asked before', async (_, bytes, status, symbol) => {
  const sent = `${head('GET', `/v1/profile-stub/${symbol}`)}\r\n${bytes}`;
  expect(await whileComputing(sent)).toEqual([200, status]);
});

test.each([
  [
    'a chunk that is none',
    'POST',
    '/v1/status-stub',
    'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
    405,
  ],
  ['a body that does not come', 'POST', '/v1/status-stub', 'Content-Length: 9\r\n\r\n', 405],
  ['a body that does not come, of a read', 'GET', '/v1/nothing', 'Content-Length: 9\r\n\r\n', 404],
  ['a body that does not come, of a page', 'GET', '/healthz', 'Content-Length: 9\r\n\r\n', 400],
  ['a body that does not come, of no page', 'POST', '/nothing', 'Content-Length: 9\r\n\r\n', 404],
])('%s gets one answer', async (_, method, path, body, status) => {
  expect(await exchange(`${head(method, path)}${body}`)).toEqual([status]);
});

test('a wish to go on that comes before its turn does not land within an answer', async () => {
  const first = `${head('GET', '/v1/profile-stub/FOUR')}\r\n`;
  const second = `${head('GET', '/healthz')}Expect: 100-continue\r\n\r\n`;
  // Who was not told to go on may send a body or none: the connection ends.
  expect(await whileComputing(first + second)).toEqual([200, 200]);
});

test('a caller who waits to be told to go on is told so', async () => {
  const bytes = `${head('POST', '/nothing')}Content-Length: 1\r\nExpect: 100-continue\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
  const told = await new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
  });
  expect(told).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  socket.destroy();
});

test('a wish for another protocol ends the connection, since what follows may be lost', async () => {
  const wish = `${head('GET', '/v1/nothing')}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
  expect(await exchange(`${wish}${head('GET', '/v1/nothing')}\r\n`)).toEqual([404]);
});
