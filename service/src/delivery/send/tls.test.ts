import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { agentWorld, requestTo, receiver } from '../../../test/support/agent-world.ts';
import {
  type Authority,
  type Certificate,
  isOpensslMissing,
  createAuthority,
} from '../../../test/support/certificates.ts';
import { reply } from '../../../test/support/receiver.ts';

const NAME = 'hooks.example.com';
const SECRET = 'figures';

describe.skipIf(isOpensslMissing())('over TLS', () => {
  let authority: Authority;
  let good: Certificate;

  beforeAll(() => {
    authority = createAuthority();
    good = authority.issue({ name: NAME });
  });

  async function world(tls: TlsOptions | null, onConnection?: (socket: Socket) => void) {
    const target = await receiver((socket) => socket.write(reply(204)), {
      ...(tls === null ? {} : { tls }),
      ...(onConnection === undefined ? {} : { onConnection }),
    });
    const parts = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      addresses: ['127.0.0.1'],
      extraCa: authority.cert,
    });
    return { ...parts, target, request: requestTo(`https://${NAME}:${target.port}/hook`) };
  }

  test('delivers over TLS to a host name with a valid certificate', async () => {
    const { agent, target, request } = await world(good);
    expect(await agent.post(request)).toMatchObject({
      kind: 'responded',
      status: 204,
      remoteAddress: '127.0.0.1',
    });
    expect(target.received.toString()).toContain(`host: ${NAME}:${target.port}`);
    expect(target.received.toString()).toContain(SECRET);
  });

  test('trusts only public certificate authorities if the operator provides no file', async () => {
    const target = await receiver((socket) => socket.write(reply(204)), { tls: good });
    const { agent } = agentWorld({ allow: [`127.0.0.1:${target.port}`], addresses: ['127.0.0.1'] });
    const outcome = await agent.post(requestTo(`https://${NAME}:${target.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'tls', maybeSent: false });
    expect(target.received.toString()).toBe('');
  });

  test.each<[string, () => TlsOptions, string]>([
    ['expired', () => authority.issue({ name: NAME, days: -1 }), 'has expired'],
    [
      'issued for another name',
      () => authority.issue({ name: 'other.example.com' }),
      'another host name',
    ],
    [
      'valid only for subdomains',
      () => authority.issue({ name: `*.${NAME}` }),
      'another host name',
    ],
    ['self-signed', () => authority.selfSigned(NAME), 'self-signed'],
  ])('rejects a certificate that is %s without sending anything', async (_what, tls, detail) => {
    const { agent, target, request } = await world(tls());
    const outcome = await agent.post(request);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'tls', maybeSent: false });
    expect(outcome.kind === 'failed' && outcome.detail).toContain(detail);
    expect(target.received.toString()).toBe('');
  });

  test('rejects bad certificates even if an environment variable disables verification', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const { agent, request } = await world(authority.selfSigned(NAME));
    expect(await agent.post(request)).toMatchObject({ code: 'tls', maybeSent: false });
  });

  test.each<[string, TlsOptions]>([
    ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1' }],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }],
  ])('rejects a receiver that supports only %s', async (_what, versions) => {
    const { agent, target, request } = await world({
      ...good,
      ...versions,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect(await agent.post(request)).toMatchObject({ code: 'tls', maybeSent: false });
    expect(target.received.toString()).toBe('');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'supports a receiver that uses %s',
    async (version) => {
      const { agent, request } = await world({ ...good, minVersion: version, maxVersion: version });
      expect(await agent.post(request)).toMatchObject({ kind: 'responded', status: 204 });
    },
  );

  test('fails the TLS handshake with a receiver that supports only HTTP/2', async () => {
    const { agent, request } = await world({ ...good, ALPNProtocols: ['h2'] });
    expect(await agent.post(request)).toMatchObject({ code: 'tls', maybeSent: false });
  });

  test('reports a TLS failure for a receiver that requires a client certificate', async () => {
    const { agent, request } = await world({ ...good, requestCert: true, ca: authority.cert });
    const outcome = await agent.post(request);
    expect(['tls', 'reset']).toContain(outcome.kind === 'failed' && outcome.code);
  });

  test('aborts a stalled TLS handshake after five seconds without sending anything', async () => {
    let receivedBytes = Buffer.alloc(0);
    const helloReceived = Promise.withResolvers<void>();
    const { agent, clock, target, request } = await world(null, (socket) => {
      socket.on('data', (piece: Buffer) => {
        receivedBytes = Buffer.concat([receivedBytes, piece]);
        helloReceived.resolve();
      });
    });
    const posting = agent.post(request);
    await helloReceived.promise;
    await clock.advance(5_000);
    expect(await posting).toMatchObject({
      kind: 'failed',
      code: 'timeout',
      maybeSent: false,
      timings: { totalMs: 5_000, tlsMs: null },
    });
    // The receiver got a TLS ClientHello but no part of the delivery.
    expect(receivedBytes[0]).toBe(22);
    expect(receivedBytes.toString('latin1')).not.toContain(SECRET);
    // The ClientHello offers only versions 1.3 and 1.2.
    expect(receivedBytes.toString('hex')).toContain('002b00050403040303');
    await target.closed();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['responds in clear text', (socket) => socket.end(reply(200))],
    ['closes the connection', (socket) => socket.end()],
    ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['sends garbage', (socket) => socket.end(Buffer.alloc(2000, 7))],
  ])(
    'sends nothing in clear text to a receiver that %s instead of using TLS',
    async (_what, onConnection) => {
      const { agent, target, request } = await world(null, onConnection);
      expect(await agent.post(request)).toMatchObject({
        kind: 'failed',
        code: 'tls',
        maybeSent: false,
      });
      expect(target.received.toString()).not.toContain(SECRET);
      expect(target.received.toString()).not.toContain('POST');
    },
  );

  test('reuses a TLS connection for the next delivery', async () => {
    const { agent, target, request } = await world(good);
    const first = await agent.post(request);
    const second = await agent.post(request);
    expect(target.connectionCount()).toBe(1);
    expect(first.timings.tlsMs).toEqual(expect.any(Number));
    expect(second.timings).toMatchObject({ connectMs: null, tlsMs: null });
  });

  test('closes a pooled connection within a minute after its address is removed from DNS', async () => {
    const respond = (socket: Socket): boolean => socket.write(reply(204));
    const first = await receiver(respond, { tls: good });
    const second = await receiver(respond, { tls: good, host: '127.0.0.2', port: first.port });
    const { agent, clock, lookups } = agentWorld({
      allow: [`127.0.0.0/8:${first.port}`],
      addresses: (n) => [n === 0 ? '127.0.0.1' : '127.0.0.2'],
      ttlSeconds: 86_400,
      extraCa: authority.cert,
    });
    const request = requestTo(`https://${NAME}:${first.port}/`);
    await agent.post(request);
    await clock.advance(59_999);
    expect(await agent.post(request)).toMatchObject({ remoteAddress: '127.0.0.1' });
    expect(lookups).toHaveLength(2);
    await clock.advance(1);
    expect(await agent.post(request)).toMatchObject({ remoteAddress: '127.0.0.2' });
    expect([first.connectionCount(), second.connectionCount()]).toEqual([1, 1]);
    await first.closed();
  });

  test.each<[string, readonly string[] | 'fails']>([
    ['resolves to an internal address', ['10.0.0.1']],
    ['also resolves to an internal address', ['127.0.0.1', '10.0.0.1']],
    ['no longer has an address', []],
    ['cannot be looked up', 'fails'],
  ])('closes a pooled connection when its host name %s', async (_what, later) => {
    const target = await receiver((socket) => socket.write(reply(204)), { tls: good });
    const { agent, connections } = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      addresses: (n) => (n === 0 ? ['127.0.0.1'] : later),
      extraCa: authority.cert,
    });
    const request = requestTo(`https://${NAME}:${target.port}/`);
    expect(await agent.post(request)).toMatchObject({ kind: 'responded' });
    expect(await agent.post(request)).toMatchObject({ kind: 'failed', maybeSent: false });
    expect(connections.sockets).toHaveLength(1);
    await target.closed();
  });

  test('tries the next address within the five-second limit when a TLS handshake stalls', async () => {
    const handshakeStarted = Promise.withResolvers<void>();
    const stalling = await receiver(() => undefined, {
      onConnection: (socket) => socket.once('data', () => handshakeStarted.resolve()),
    });
    const target = await receiver((socket) => socket.write(reply(204)), {
      tls: good,
      host: '127.0.0.2',
      port: stalling.port,
    });
    const { agent, clock } = agentWorld({
      allow: [`127.0.0.0/8:${target.port}`],
      addresses: ['127.0.0.1', '127.0.0.2'],
      extraCa: authority.cert,
    });
    const posting = agent.post(requestTo(`https://${NAME}:${target.port}/`));
    await handshakeStarted.promise;
    await clock.advance(2_500);
    expect(await posting).toMatchObject({
      kind: 'responded',
      remoteAddress: '127.0.0.2',
      timings: { totalMs: 2_500 },
    });
  });
});
