import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { agentWorld, postTo, receiver } from '../../../test/support/agent-world.ts';
import {
  type Authority,
  type Certificate,
  lacksOpenssl,
  makeAuthority,
} from '../../../test/support/certificates.ts';
import { reply } from '../../../test/support/receiver.ts';

const NAME = 'hooks.example.com';
const SECRET = 'figures';

describe.skipIf(lacksOpenssl())('over TLS', () => {
  let authority: Authority;
  let good: Certificate;
  let remove: () => void;

  beforeAll(() => {
    ({ authority, remove } = makeAuthority());
    good = authority.issue({ name: NAME });
  });
  afterAll(() => remove());

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
    return { ...parts, target, request: postTo(`https://${NAME}:${target.port}/hook`) };
  }

  test('a receiver whose certificate is good gets the delivery, over TLS and by its name', async () => {
    const { agent, target, request } = await world(good);
    expect(await agent.post(request)).toMatchObject({
      kind: 'answered',
      status: 204,
      remoteAddress: '127.0.0.1',
    });
    expect(target.received.toString()).toContain(`host: ${NAME}:${target.port}`);
    expect(target.received.toString()).toContain(SECRET);
  });

  test('without the file of the operator, only the authorities of the world count', async () => {
    const target = await receiver((socket) => socket.write(reply(204)), { tls: good });
    const { agent } = agentWorld({ allow: [`127.0.0.1:${target.port}`], addresses: ['127.0.0.1'] });
    const outcome = await agent.post(postTo(`https://${NAME}:${target.port}/`));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'tls', maybeSent: false });
    expect(target.received.toString()).toBe('');
  });

  test.each<[string, () => TlsOptions, string]>([
    ['expired', () => authority.issue({ name: NAME, days: -1 }), 'has expired'],
    ['for another name', () => authority.issue({ name: 'other.example.com' }), 'another name'],
    ['for the names below', () => authority.issue({ name: `*.${NAME}` }), 'another name'],
    ['signed by itself', () => authority.selfSigned(NAME), 'signed by itself'],
  ])('a certificate that is %s is refused, and nothing is sent', async (_what, tls, detail) => {
    const { agent, target, request } = await world(tls());
    const outcome = await agent.post(request);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'tls', maybeSent: false });
    expect(outcome.kind === 'failed' && outcome.detail).toContain(detail);
    expect(target.received.toString()).toBe('');
  });

  test('no variable of the environment makes a bad certificate good', async () => {
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
  ])('a receiver that speaks only %s is refused', async (_what, versions) => {
    const { agent, target, request } = await world({
      ...good,
      ...versions,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect(await agent.post(request)).toMatchObject({ code: 'tls', maybeSent: false });
    expect(target.received.toString()).toBe('');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a receiver that speaks %s is served',
    async (version) => {
      const { agent, request } = await world({ ...good, minVersion: version, maxVersion: version });
      expect(await agent.post(request)).toMatchObject({ kind: 'answered', status: 204 });
    },
  );

  test('a receiver that speaks HTTP/2 alone is refused in the handshake', async () => {
    const { agent, request } = await world({ ...good, ALPNProtocols: ['h2'] });
    expect(await agent.post(request)).toMatchObject({ code: 'tls', maybeSent: false });
  });

  test('a receiver that wants a certificate of us is a failure of TLS', async () => {
    const { agent, request } = await world({ ...good, requestCert: true, ca: authority.cert });
    const outcome = await agent.post(request);
    expect(['tls', 'reset']).toContain(outcome.kind === 'failed' && outcome.code);
  });

  test('a handshake that stalls has five seconds, and nothing was sent', async () => {
    let seen = Buffer.alloc(0);
    const said = Promise.withResolvers<void>();
    const { agent, clock, target, request } = await world(null, (socket) => {
      socket.on('data', (piece: Buffer) => {
        seen = Buffer.concat([seen, piece]);
        said.resolve();
      });
    });
    const posting = agent.post(request);
    await said.promise;
    await clock.advance(5_000);
    expect(await posting).toMatchObject({
      kind: 'failed',
      code: 'timeout',
      maybeSent: false,
      timings: { totalMs: 5_000, tlsMs: null },
    });
    // A hello of TLS, and nothing of the delivery.
    expect(seen[0]).toBe(22);
    expect(seen.toString('latin1')).not.toContain(SECRET);
    // The versions it offers are 1.3 and 1.2, and no others.
    expect(seen.toString('hex')).toContain('002b00050403040303');
    await target.quiet();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['answers in clear', (socket) => socket.end(reply(200))],
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['sends nonsense', (socket) => socket.end(Buffer.alloc(2000, 7))],
  ])('a receiver that %s where TLS is due gets nothing in clear', async (_what, onConnection) => {
    const { agent, target, request } = await world(null, onConnection);
    expect(await agent.post(request)).toMatchObject({
      kind: 'failed',
      code: 'tls',
      maybeSent: false,
    });
    expect(target.received.toString()).not.toContain(SECRET);
    expect(target.received.toString()).not.toContain('POST');
  });

  test('connections of TLS are kept for the next delivery', async () => {
    const { agent, target, request } = await world(good);
    const first = await agent.post(request);
    const second = await agent.post(request);
    expect(target.opened()).toBe(1);
    expect(first.timings.tlsMs).toEqual(expect.any(Number));
    expect(second.timings).toMatchObject({ connectMs: null, tlsMs: null });
  });

  test('a kept connection ends when DNS no longer names its address, at latest after a minute', async () => {
    const answer = (socket: Socket): boolean => socket.write(reply(204));
    const first = await receiver(answer, { tls: good });
    const second = await receiver(answer, { tls: good, host: '127.0.0.2', port: first.port });
    const { agent, clock, asked } = agentWorld({
      allow: [`127.0.0.0/8:${first.port}`],
      addresses: (n) => [n === 0 ? '127.0.0.1' : '127.0.0.2'],
      ttlSeconds: 86_400,
      extraCa: authority.cert,
    });
    const request = postTo(`https://${NAME}:${first.port}/`);
    await agent.post(request);
    await clock.advance(59_999);
    expect(await agent.post(request)).toMatchObject({ remoteAddress: '127.0.0.1' });
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    expect(await agent.post(request)).toMatchObject({ remoteAddress: '127.0.0.2' });
    expect([first.opened(), second.opened()]).toEqual([1, 1]);
    await first.quiet();
  });

  test.each<[string, readonly string[] | 'fails']>([
    ['leads inside', ['10.0.0.1']],
    ['leads inside too', ['127.0.0.1', '10.0.0.1']],
    ['has no address any more', []],
    ['is not answered for', 'fails'],
  ])('a kept connection ends when its name %s', async (_what, later) => {
    const target = await receiver((socket) => socket.write(reply(204)), { tls: good });
    const { agent, watched } = agentWorld({
      allow: [`127.0.0.1:${target.port}`],
      addresses: (n) => (n === 0 ? ['127.0.0.1'] : later),
      extraCa: authority.cert,
    });
    const request = postTo(`https://${NAME}:${target.port}/`);
    expect(await agent.post(request)).toMatchObject({ kind: 'answered' });
    expect(await agent.post(request)).toMatchObject({ kind: 'failed', maybeSent: false });
    expect(watched.sockets).toHaveLength(1);
    await target.quiet();
  });

  test('an address whose handshake stalls leaves the next its share of the five seconds', async () => {
    const said = Promise.withResolvers<void>();
    const stalling = await receiver(() => undefined, {
      onConnection: (socket) => socket.once('data', () => said.resolve()),
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
    const posting = agent.post(postTo(`https://${NAME}:${target.port}/`));
    await said.promise;
    await clock.advance(2_500);
    expect(await posting).toMatchObject({
      kind: 'answered',
      remoteAddress: '127.0.0.2',
      timings: { totalMs: 2_500 },
    });
  });
});
