import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { agentWorld, nextTurn, receiver, requestTo } from '../../../test/support/agent-world.ts';
import {
  type Authority,
  type Certificate,
  createAuthority,
  isOpensslMissing,
} from '../../../test/support/certificates.ts';
import { reply } from '../../../test/support/receiver.ts';

const NAME = 'hooks.example.com';

describe.skipIf(isOpensslMissing())('with TLS receivers', () => {
  let authority: Authority;
  let certificate: Certificate;

  beforeAll(() => {
    authority = createAuthority();
    certificate = authority.issue({ name: NAME });
  });

  /** Every connection is closed after its response. */
  async function closingWorld(version: 'TLSv1.2' | 'TLSv1.3', addresses = ['127.0.0.1']) {
    const resumed: boolean[] = [];
    const target = await receiver(
      (socket) => {
        resumed.push((socket as TLSSocket).isSessionReused());
        socket.end(reply(204, ['Connection: close']));
      },
      { tls: { ...certificate, minVersion: version, maxVersion: version } },
    );
    const parts = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      addresses: () => addresses,
      extraCa: authority.cert,
    });
    const request = requestTo(`https://${NAME}:${target.port}/hook`);
    return { ...parts, target, resumed, request };
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'resumes the session of the last connection to a receiver with %s',
    async (version) => {
      const { agent, clock, target, resumed, request } = await closingWorld(version);
      // The certificate is verified again an hour after the last full handshake.
      for (const isResumed of [false, true, true, false, true]) {
        expect(await agent.post(request)).toMatchObject({ kind: 'responded', status: 204 });
        await target.closed();
        expect(resumed.pop()).toBe(isResumed);
        await clock.advance(1_200_000);
      }
    },
  );

  test('checks the addresses of a receiver before it resumes a session', async () => {
    const addresses = ['127.0.0.1'];
    const { agent, target, resumed, request } = await closingWorld('TLSv1.3', addresses);
    await agent.post(request);
    addresses[0] = '10.0.0.1';
    expect(await agent.post(request)).toMatchObject({ code: 'blocked_address', maybeSent: false });
    expect(target.connectionCount()).toBe(1);
    expect(resumed).toEqual([false]);
  });
});

async function world(
  { addresses = ['127.0.0.1'], idleConnectionsMax = 1_000, count = 1 } = {},
  respond: (socket: Socket, n: number) => void = (socket) => socket.write(reply(204)),
) {
  const targets = await Promise.all(Array.from({ length: count }, () => receiver(respond)));
  const parts = agentWorld({
    allow: targets.map(({ port }) => `127.0.0.1:${port}`),
    addresses: () => addresses,
    idleConnectionsMax,
  });
  const requests = targets.map(({ port }) => requestTo(`http://127.0.0.1:${port}/`));
  return { ...parts, targets, requests };
}

test('closes the least recently used of too many idle connections', async () => {
  const { agent, targets, requests } = await world({ idleConnectionsMax: 2, count: 3 });
  const post = async (index: number) => {
    const [request, target] = [requests[index], targets[index]];
    if (request === undefined || target === undefined) throw new Error('no such receiver');
    expect(await agent.post(request)).toMatchObject({ status: 204 });
    return target;
  };
  const [, second] = [await post(0), await post(1)];
  await post(0);
  await post(2);
  await second.closed();
  await post(0);
  await post(2);
  expect(targets.map((target) => target.connectionCount())).toEqual([1, 1, 1]);
});

test('opens a new connection ten minutes after the last one was opened', async () => {
  const { agent, clock, targets, requests } = await world();
  const [request = requestTo('')] = requests;
  await agent.post(request);
  await clock.advance(599_999);
  await agent.post(request);
  expect(targets[0]?.connectionCount()).toBe(1);
  await clock.advance(1);
  await agent.post(request);
  expect(targets[0]?.connectionCount()).toBe(2);
});

test('sends once, and to a new connection, after a receiver has closed an idle connection', async () => {
  const sockets: Socket[] = [];
  const { agent, targets, requests } = await world({}, (socket) => {
    sockets.push(socket);
    socket.write(reply(204));
  });
  const [request = requestTo('')] = requests;
  await agent.post(request);
  sockets[0]?.end();
  await targets[0]?.closed();
  await nextTurn();
  expect(await agent.post(request)).toMatchObject({ status: 204 });
  expect(sockets).toHaveLength(2);
  expect(new Set(sockets).size).toBe(2);
});

test('reports a reused connection that is lost before a response, and opens a new one next', async () => {
  const { agent, targets, requests } = await world({}, (socket, n) => {
    // The two connections of the first two requests are open at the same time.
    if (n < 2) setImmediate(() => socket.write(reply(204)));
    else if (n === 2) socket.destroy();
    else socket.write(reply(204));
  });
  const [request = requestTo('')] = requests;
  await Promise.all([agent.post(request), agent.post(request)]);
  expect(await agent.post(request)).toMatchObject({
    kind: 'failed',
    code: 'reset',
    maybeSent: true,
    wasIdle: true,
  });
  expect(await agent.post(request)).toMatchObject({ status: 204 });
  expect(targets[0]?.connectionCount()).toBe(3);
});

test('does not excuse a new connection that is lost, or a response that breaks off', async () => {
  const { agent, requests } = await world({}, (socket, n) => {
    if (n === 0) socket.destroy();
    else if (n === 1) socket.write(reply(204));
    else socket.end('HTTP/1.1 2');
  });
  const [request = requestTo('')] = requests;
  for (const expected of [{ wasIdle: false }, { status: 204 }, { code: 'reset', wasIdle: false }]) {
    expect(await agent.post(request)).toMatchObject(expected);
  }
});
