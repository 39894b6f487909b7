import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { agentWorld, receiver, requestTo } from '../../../test/support/agent-world.ts';
import {
  type Authority,
  type Certificate,
  createAuthority,
  isOpensslMissing,
} from '../../../test/support/certificates.ts';
import { reply } from '../../../test/support/receiver.ts';
import { parseProxy } from './proxy-tunnel.ts';

const NAME = 'hooks.example.com';

/** Starts a proxy that opens tunnels, or answers with the given response, and records requests. */
async function startProxy(response: string | null = null) {
  const requests: IncomingMessage[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, client, head) => {
    requests.push(request);
    if (response !== null) return void client.end(response);
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { requests, url: `http://relay:p%40ss@127.0.0.1:${port}` };
}

describe.skipIf(isOpensslMissing())('through a proxy', () => {
  let authority: Authority;
  let good: Certificate;

  beforeAll(() => {
    authority = createAuthority();
    good = authority.issue({ name: NAME });
  });

  async function world(response: string | null = null, certificate = good) {
    const target = await receiver((socket) => socket.write(reply(204)), { tls: certificate });
    const proxy = await startProxy(response);
    const { agent, connections } = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      addresses: ['127.0.0.1'],
      extraCa: authority.cert,
      proxy: parseProxy(proxy.url),
    });
    const post = () => agent.post(requestTo(`https://${NAME}:${target.port}/hook`));
    return { target, proxy, connections, post };
  }

  test('sends over TLS through a tunnel to the vetted address, and reuses the tunnel', async () => {
    const { target, proxy, post } = await world();
    for (let i = 0; i < 2; i += 1) {
      expect(await post()).toMatchObject({ status: 204, remoteAddress: '127.0.0.1' });
    }
    const [request, ...others] = proxy.requests;
    expect(others).toEqual([]);
    // The proxy never gets the name, which it could resolve to another address.
    expect(request?.url).toBe(`127.0.0.1:${target.port}`);
    expect(request?.headers['proxy-authorization']).toBe(`Basic ${btoa('relay:p@ss')}`);
    expect(target.received.toString()).not.toContain('proxy-authorization');
  });

  test('checks the certificate of the receiver behind the proxy', async () => {
    const { target, post } = await world(null, authority.issue({ name: 'other.example.com' }));
    expect(await post()).toMatchObject({ kind: 'failed', code: 'tls', maybeSent: false });
    expect(target.received.toString()).toBe('');
  });

  test.each([
    ['HTTP/1.1 403 Forbidden\r\n\r\n', 'did not connect to the receiver (403)'],
    ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', '(407)'],
    ['SSH-2.0-server\r\n\r\n', '(no HTTP)'],
    ['', 'connection to the outgoing proxy failed'],
    ['x'.repeat(9_000), 'connection to the outgoing proxy failed'],
  ])('sends nothing if the proxy responds with %j', async (response, detail) => {
    const { target, post } = await world(response);
    expect(await post()).toMatchObject({
      code: 'connect',
      detail: expect.stringContaining(detail),
      maybeSent: false,
    });
    expect(target.connectionCount()).toBe(0);
  });

  test('sends nothing, and connects to no receiver, if the proxy cannot be reached', async () => {
    const target = await receiver(() => undefined);
    const closed = await receiver(() => undefined);
    await closed.close();
    const { agent } = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      proxy: parseProxy(`http://127.0.0.1:${closed.port}`),
    });
    const outcome = await agent.post(requestTo(`http://127.0.0.1:${target.port}/`));
    expect(outcome).toMatchObject({ code: 'connect', maybeSent: false });
    expect(target.connectionCount()).toBe(0);
  });

  test('never asks the proxy for an address that is not public', async () => {
    const proxy = await startProxy();
    const { agent, connections } = agentWorld({
      addresses: ['10.0.0.1'],
      proxy: parseProxy(proxy.url),
    });
    expect(await agent.post(requestTo(`https://${NAME}/`))).toMatchObject({
      code: 'blocked_address',
    });
    expect(proxy.requests).toEqual([]);
    expect(connections.sockets).toHaveLength(0);
  });
});
