import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  agentWorld,
  untilReceived,
  requestTo,
  receiver,
} from '../../../test/support/agent-world.ts';
import { type Respond, type Receiver, reply } from '../../../test/support/receiver.ts';
import type { Socket } from 'node:net';

// A response is limited to 64 KiB, but the last read from the socket may exceed the limit by as
// much again.
const READ_MAX = 2 * 65_536;
// The error message shown in the delivery log.
const NO_HTTP = 'The response was not valid HTTP/1.1.';
const CUT_OFF = 'the connection before it responded';

async function world(respond: Respond, onConnection?: (socket: Socket) => void) {
  const hostile = await receiver(respond, onConnection === undefined ? {} : { onConnection });
  const parts = agentWorld({ allow: [`127.0.0.1:${hostile.port}`] });
  return { ...parts, hostile, request: requestTo(urlOf(hostile)) };
}

function urlOf({ port }: Receiver): string {
  return `http://127.0.0.1:${port}/hook`;
}

test('times out after 15 seconds if a receiver does not respond', async () => {
  const { agent, clock, hostile, request } = await world(() => undefined);
  let isSettled = false;
  const posting = agent.post(request).finally(() => (isSettled = true));
  await hostile.requests(1);
  await clock.advance(14_999);
  expect(isSettled).toBe(false);
  await clock.advance(1);
  expect(await posting).toMatchObject({
    kind: 'failed',
    code: 'timeout',
    maybeSent: true,
    remoteAddress: '127.0.0.1',
    timings: { totalMs: 15_000 },
  });
  await hostile.closed();
});

test('times out after 15 seconds in total if a receiver responds byte by byte', async () => {
  const sockets: Socket[] = [];
  const { agent, clock, hostile, request, connections } = await world((socket) => {
    sockets.push(socket);
  });
  const posting = agent.post(request);
  await hostile.requests(1);
  for (const [i, letter] of [...'HTTP/1.1 200 OK'].entries()) {
    sockets[0]?.write(letter);
    await untilReceived(connections, i + 1);
    await clock.advance(1000);
  }
  expect(await posting).toMatchObject({ kind: 'failed', code: 'timeout', maybeSent: true });
  await hostile.closed();
});

test('accepts a 2xx status even if the response body stalls', async () => {
  const head = 'HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nsome';
  const { agent, clock, hostile, request, connections } = await world((socket) => {
    socket.write(head);
  });
  const posting = agent.post(request);
  await untilReceived(connections, head.length);
  await clock.advance(15_000);
  expect(await posting).toMatchObject({
    kind: 'responded',
    status: 202,
    body: 'some',
    truncated: true,
    timings: { totalMs: 15_000 },
  });
  await hostile.closed();
});

test('uses the status even if the connection is reset during the response body', async () => {
  const { agent, request } = await world((socket) => {
    socket.write('HTTP/1.1 500 Text\r\nContent-Length: 100\r\n\r\nsome', () => {
      socket.resetAndDestroy();
    });
  });
  expect(await agent.post(request)).toMatchObject({
    kind: 'responded',
    status: 500,
    truncated: true,
  });
});

test.each<[string, Respond, string?]>([
  ['closes its side of the connection after the request', (socket) => socket.end()],
  ['resets the connection after the request', (socket) => socket.resetAndDestroy()],
  [
    'closes the connection in the middle of the headers',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nX-A: b'),
  ],
  ['does not use HTTP', (socket) => socket.end('220 mail.example.com ESMTP\r\n'), NO_HTTP],
  ['sends zeros', (socket) => socket.end(Buffer.alloc(1000)), NO_HTTP],
  ['uses HTTP/2', (socket) => socket.end(Buffer.from('000012040000000000', 'hex')), NO_HTTP],
  [
    'switches protocols',
    (socket) => socket.write('HTTP/1.1 101 Text\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  [
    'sends two different lengths',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    NO_HTTP,
  ],
])(
  'reports the request as possibly sent when a receiver %s',
  async (_what, respond, detail = CUT_OFF) => {
    const { agent, hostile, request } = await world(respond);
    const failure = { kind: 'failed', code: 'reset', maybeSent: true };
    expect(await agent.post(request)).toMatchObject({
      ...failure,
      detail: expect.stringContaining(detail) as string,
    });
    expect(hostile.connectionCount()).toBe(1);
    await hostile.closed();
  },
);

test('fails if a receiver closes the connection before it reads the request', async () => {
  const { agent, request } = await world(
    () => undefined,
    (socket) => socket.resetAndDestroy(),
  );
  const outcome = await agent.post(request);
  // The code depends on whether the operating system briefly reports the connection as open.
  expect(['connect', 'reset']).toContain(outcome.kind === 'failed' && outcome.code);
});

test('fails before sending if no receiver is listening', async () => {
  const gone = await receiver(() => undefined);
  await gone.close();
  const { agent } = agentWorld({ allow: [`127.0.0.1:${gone.port}`] });
  expect(await agent.post(requestTo(urlOf(gone)))).toMatchObject({
    kind: 'failed',
    code: 'connect',
    detail: 'The receiver refused the connection.',
    maybeSent: false,
  });
});

/** Returns a receiver that writes forever, as fast as its data is read. */
function flood(head: string, piece: string): Respond {
  return (socket) => {
    const writeMore = (): void => {
      while (!socket.destroyed && socket.write(piece));
      if (!socket.destroyed) socket.once('drain', writeMore);
    };
    socket.write(head);
    writeMore();
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const KIB = 'x'.repeat(1024);
const DECLARED = `${OK}Content-Length: 10737418240\r\n\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

test.each<[string, Respond]>([
  ['is 10 GB long', flood(DECLARED, KIB.repeat(64))],
  ['is chunked and never ends', flood(CHUNKED, `10000\r\n${KIB.repeat(64)}\r\n`)],
  ['has no length and never ends', flood(`${OK}\r\n`, KIB.repeat(64))],
  ['has one-byte chunks', flood(CHUNKED, '1\r\nx\r\n'.repeat(1000))],
  ['has an endless chunk extension', flood(`${CHUNKED}1;`, KIB.repeat(8))],
  ['has endless trailers', flood(`${CHUNKED}0\r\n`, `X-A: ${KIB}\r\n`.repeat(8))],
])('cuts off a response body that %s, and uses the status', async (_what, respond) => {
  const { agent, hostile, request, connections } = await world(respond);
  const outcome = await agent.post(request);
  expect(outcome).toMatchObject({ kind: 'responded', status: 200, truncated: true });
  expect(outcome.kind === 'responded' && outcome.body.length).toBeLessThanOrEqual(16_384);
  expect(connections.sockets[0]?.bytesRead).toBeLessThanOrEqual(READ_MAX);
  await hostile.closed();
});

test.each<[string, Respond]>([
  ['endless headers', flood(OK, `X-A: ${KIB}\r\n`)],
  ['one endless header', flood(`${OK}X-A: `, KIB)],
  ['an endless status', flood('HTTP/1.1 200 ', KIB)],
  ['endless interim responses', flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))],
  ['large interim responses', flood('', `HTTP/1.1 102 Text\r\nX-A: ${KIB}\r\n\r\n`)],
  ['endless blank lines', flood('', '\r\n'.repeat(1000))],
])('rejects a response with %s and stops reading', async (_what, respond) => {
  const { agent, hostile, request, connections } = await world(respond);
  expect(await agent.post(request)).toMatchObject({
    kind: 'failed',
    code: 'reset',
    maybeSent: true,
  });
  expect(connections.sockets[0]?.bytesRead).toBeLessThanOrEqual(READ_MAX);
  await hostile.closed();
});

test('cuts off a hundred endless responses at once', async () => {
  const { agent, hostile, request, connections } = await world(flood(DECLARED, KIB.repeat(64)));
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => agent.post(request)));
  expect(outcomes.every((outcome) => outcome.kind === 'responded' && outcome.truncated)).toBe(true);
  expect(connections.sockets).toHaveLength(100);
  expect(Math.max(...connections.sockets.map((outcome) => outcome.bytesRead))).toBeLessThanOrEqual(
    READ_MAX,
  );
  await hostile.closed();
});

test.each([
  [8, { kind: 'responded', status: 204, body: '' }],
  [9, { kind: 'failed', code: 'reset' }],
])('returns the expected outcome after %i interim responses: %j', async (count, expected) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(count);
  const { agent, request } = await world((socket) => socket.write(interim + reply(204)));
  expect(await agent.post(request)).toMatchObject(expected);
});

test('does not request compressed responses and never decompresses one', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  const { agent, hostile, request } = await world((socket) => {
    socket.write(head);
    socket.write(bomb);
  });
  const outcome = await agent.post(request);
  expect(outcome).toMatchObject({ kind: 'responded', status: 200 });
  expect(outcome.kind === 'responded' && Buffer.byteLength(outcome.body)).toBeLessThanOrEqual(
    16_384,
  );
  expect(hostile.received.toString().toLowerCase()).toContain('accept-encoding: identity');
});

test.each([301, 302, 303, 307, 308])(
  'returns a %i redirect as the response without following it',
  async (status) => {
    const inside = await receiver(() => undefined);
    const locations = [
      'http://169.254.169.254/latest/meta-data/',
      `http://127.0.0.1:${inside.port}/`,
      `http://localhost:${inside.port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1:70/',
      '/hook',
    ];
    const { agent, hostile, request, connections } = await world((socket, n) => {
      socket.write(reply(status, [`Location: ${locations[n] ?? ''}`]));
    });
    for (const location of locations) {
      const outcome = await agent.post(request);
      expect(outcome).toMatchObject({ kind: 'responded', status });
      expect(outcome.kind === 'responded' && outcome.headers).toContainEqual([
        'Location',
        location,
      ]);
    }
    expect(connections.tried).toEqual([{ address: '127.0.0.1', port: hostile.port }]);
    expect(inside.connectionCount()).toBe(0);
  },
);
