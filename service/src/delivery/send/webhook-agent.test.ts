import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import {
  agentWorld,
  type AgentWorldOptions,
  untilReceived,
  requestTo,
  receiver,
  nextTurn,
} from '../../../test/support/agent-world.ts';
import { type Respond, reply } from '../../../test/support/receiver.ts';

const noContent: Respond = (socket) => socket.write(reply(204));

async function world(respond: Respond = noContent, options: AgentWorldOptions = {}) {
  const target = await receiver(respond);
  const parts = agentWorld({ allow: [`127.0.0.0/8:${target.port}`], ...options });
  return { ...parts, target, request: requestTo(`http://127.0.0.1:${target.port}/hook?a=b`) };
}

test('sends exactly the signed bytes and the given headers', async () => {
  const { agent, target, request } = await world();
  const body = new Uint8Array([0, 1, 2, 0xff, 0xc3, 0x28]);
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Service-Webhooks/1.0'],
    ['X-Service-Signature', 'sha256=ab'],
  ] as const;
  await agent.post({ ...request, headers, body });
  const received = target.received[0] ?? Buffer.alloc(0);
  const [head = '', ...rest] = received.toString('latin1').split('\r\n\r\n');
  expect(head.split('\r\n').toSorted()).toEqual(
    [
      'POST /hook?a=b HTTP/1.1',
      `host: 127.0.0.1:${target.port}`,
      'connection: keep-alive',
      'Accept-Encoding: identity',
      'Content-Type: application/json',
      'User-Agent: Service-Webhooks/1.0',
      'X-Service-Signature: sha256=ab',
      'content-length: 6',
    ].toSorted(),
  );
  expect(rest.join('\r\n\r\n')).toBe(Buffer.from(body).toString('latin1'));
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('connects to the IPv6 loopback by address and as localhost', async () => {
  const target = await receiver(noContent, { host: '::1' });
  const { agent } = agentWorld({ allow: [`127.0.0.1:${target.port}`, `[::1]:${target.port}`] });
  for (const host of ['[::1]', 'localhost']) {
    expect(await agent.post(requestTo(`http://${host}:${target.port}/`))).toMatchObject({
      kind: 'responded',
      remoteAddress: '::1',
    });
  }
});

test.each([200, 201, 204, 304, 400, 404, 410, 429, 500, 503])(
  'returns a response with status %i as an outcome',
  async (status) => {
    const { agent, request } = await world((socket) => socket.write(reply(status, ['X-A: b'])));
    expect(await agent.post(request)).toMatchObject({
      kind: 'responded',
      status,
      headers: expect.arrayContaining([['X-A', 'b']]),
      truncated: false,
    });
  },
);

test('detects an expired lease on an open connection before sending the first byte', async () => {
  const { agent, target, request } = await world();
  let checkCount = 0;
  const beforeFirstByte = (): boolean => {
    checkCount++;
    return false;
  };
  expect(await agent.post({ ...request, beforeFirstByte })).toMatchObject({
    kind: 'failed',
    code: 'not_sent',
    maybeSent: false,
  });
  expect(checkCount).toBe(1);
  await target.closed();
  expect(target.received.toString()).toBe('');
});

test('checks the lease once per request, when the connection is open', async () => {
  const { agent, target, request } = await world();
  const opened: number[] = [];
  const beforeFirstByte = (): boolean => opened.push(target.connectionCount()) > 0;
  await agent.post({ ...request, beforeFirstByte });
  await agent.post({ ...request, beforeFirstByte });
  expect(opened).toEqual([1, 1]);
});

test('reuses the connection of a finished delivery for the next delivery', async () => {
  const { agent, target, request } = await world();
  for (let i = 0; i < 20; i++) {
    expect(await agent.post(request)).toMatchObject({ kind: 'responded' });
  }
  expect(target.connectionCount()).toBe(1);
});

test('opens one connection per concurrent delivery and reuses these connections later', async () => {
  const { agent, target, request } = await world((socket, n) => {
    // Waits until all 20 connections are open before sending the first response.
    void target.requests(n < 20 ? 20 : 0).then(() => socket.write(reply(204)));
  });
  const together = Array.from({ length: 20 }, () => agent.post(request));
  await Promise.all(together);
  expect(target.connectionCount()).toBe(20);
  await Promise.all(Array.from({ length: 8 }, () => agent.post(request)));
  expect(target.connectionCount()).toBe(20);
});

test.each<[string, Respond]>([
  ['announces this', (socket) => socket.end(reply(204, ['Connection: close']))],
  ['does not announce this', (socket) => socket.end(reply(204))],
])(
  'opens a new connection to a receiver that closes the connection after its response and %s',
  async (_what, respond) => {
    const { agent, target, request } = await world(respond);
    for (let i = 0; i < 3; i++) {
      expect(await agent.post(request)).toMatchObject({ kind: 'responded', status: 204 });
      await target.closed();
      await nextTurn();
    }
    expect(target.connectionCount()).toBe(3);
  },
);

test('closes the connection when a receiver sends unrequested data, and ignores the data', async () => {
  const { agent, target, request } = await world((socket, n) => {
    socket.write(reply(204) + (n === 0 ? reply(200, [], 'for nobody') : ''));
  });
  expect(await agent.post(request)).toMatchObject({ status: 204 });
  await target.closed();
  expect(await agent.post(request)).toMatchObject({ status: 204 });
  expect(target.connectionCount()).toBe(2);
});

test('does not reuse a connection if the response was not read completely', async () => {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf';
  const { agent, clock, target, connections, request } = await world((socket, n) => {
    socket.write(n === 0 ? half : reply(204));
  });
  const posting = agent.post(request);
  await untilReceived(connections, half.length);
  await clock.advance(15_000);
  await posting;
  expect(await agent.post(request)).toMatchObject({ status: 204 });
  expect(target.connectionCount()).toBe(2);
});

test('tries the next address when an address refuses the connection', async () => {
  const target = await receiver(() => undefined, {
    // This receiver does not speak TLS, so the attempt ends with a failed handshake at its address.
    onConnection: (socket) => socket.end('no'),
  });
  const { agent, connections } = agentWorld({
    allow: [`127.0.0.0/8:${target.port}`],
    addresses: ['127.0.0.3', '127.0.0.1', '127.0.0.4'],
  });
  const outcome = await agent.post(requestTo(`https://hooks.example.com:${target.port}/`));
  expect(outcome).toMatchObject({ code: 'tls', remoteAddress: '127.0.0.1' });
  expect(connections.tried.map(({ address }) => address)).toEqual(['127.0.0.3', '127.0.0.1']);
});

test('ends attempts in flight when the agent is closed, and reports whether they may have been sent', async () => {
  const { agent, target, request } = await world(() => undefined);
  const hanging = agentWorld({ addresses: () => 'hangs' });
  const sent = agent.post(request);
  const unsent = hanging.agent.post(requestTo('https://hooks.example.com/'));
  await target.requests(1);
  await Promise.all([agent.close(), hanging.agent.close()]);
  expect(await sent).toMatchObject({ kind: 'failed', code: 'reset', maybeSent: true });
  expect(await unsent).toMatchObject({ kind: 'failed', code: 'not_sent', maybeSent: false });
  expect(await agent.post(request)).toMatchObject({ code: 'not_sent', maybeSent: false });
  await target.closed();
});

test('closes idle connections when the agent is closed', async () => {
  const { agent, target, request } = await world();
  await agent.post(request);
  await agent.close();
  await target.closed();
});

test('throws without sending anything if a header would break the request', async () => {
  const { agent, target, request } = await world();
  const headers = [['X-A', 'a\r\nX-B: b']] as const;
  await expect(agent.post({ ...request, headers })).rejects.toThrow(/invalid/);
  await target.closed();
  expect(target.received.toString()).toBe('');
});
