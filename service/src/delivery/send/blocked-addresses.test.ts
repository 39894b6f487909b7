import { expect, onTestFinished, test } from 'vitest';
import { agentWorld, requestTo, receiver } from '../../../test/support/agent-world.ts';
import {
  type DnsAnswer,
  type DnsServer,
  type Question,
  startDnsServer,
} from '../../../test/support/dns-server.ts';
import { forbiddenUrls } from '../../../test/support/forbidden-urls.ts';
import { type Receiver, reply } from '../../../test/support/receiver.ts';
import { systemResolver } from './resolver.ts';

// Verifies blocking at the socket level: some listeners must not be reached, and every connection
// that the process opens is recorded.

/** Starts a listener that can be reached at every address of this machine, in any spelling. */
async function inside(): Promise<Receiver> {
  return receiver((socket) => socket.end(reply(200)), { host: '0.0.0.0' });
}

async function dnsServer(script: (question: Question) => DnsAnswer): Promise<DnsServer> {
  const server = await startDnsServer(script);
  onTestFinished(() => server.close());
  return server;
}

test('blocks every spelling of an internal address, even if a listener is open on the port', async () => {
  const listener = await inside();
  const { agent, connections, lookups } = agentWorld({
    ports: [443, listener.port],
    addresses: ['127.0.0.1'],
  });
  for (const url of forbiddenUrls(listener.port)) {
    const outcome = await agent.post(requestTo(url));
    expect(outcome, url).toMatchObject({
      kind: 'failed',
      code: 'blocked_address',
      maybeSent: false,
    });
  }
  expect(connections.sockets).toHaveLength(0);
  expect(listener.connectionCount()).toBe(0);
  // Literal addresses are blocked before any DNS lookup.
  expect(lookups).toEqual([]);
});

test('connects to the listener used in these tests when the rules allow its address', async () => {
  const listener = await inside();
  const { agent } = agentWorld({ allow: [`127.0.0.1:${listener.port}`] });
  expect(await agent.post(requestTo(`http://127.0.0.1:${listener.port}/`))).toMatchObject({
    kind: 'responded',
  });
  expect(listener.connectionCount()).toBe(1);
});

const PUBLIC = '8.8.8.8';
const PUBLIC_6 = '2606:4700::1111';

test.each<[string, string[], string]>([
  ['a loopback address', ['127.0.0.1'], 'loopback'],
  ['the IPv6 loopback', ['::1'], 'loopback'],
  ['the unspecified address', ['0.0.0.0'], 'this-network'],
  ['a private network', ['10.0.0.1'], 'private'],
  ['the metadata service', ['169.254.169.254'], 'metadata'],
  ['the IPv6 metadata service', ['fd00:ec2::254'], 'metadata'],
  ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1'], 'not-global'],
  ['a NAT64 loopback address', ['64:ff9b::7f00:1'], 'not-global'],
  ['a 6to4 loopback address', ['2002:7f00:1::'], 'relay'],
  ['a public and a private address', [PUBLIC, '10.0.0.1'], 'private'],
  ['a private and a public address', ['10.0.0.1', PUBLIC], 'private'],
  ['a public address and the IPv6 loopback', [PUBLIC, '::1'], 'loopback'],
  ['many public addresses and an internal one', [PUBLIC, '1.1.1.1', PUBLIC_6, '::1'], 'loopback'],
])('blocks a name that resolves to %s', async (_what, addresses, addressClass) => {
  const server = await dnsServer(({ type }) =>
    addresses
      .filter((address) => address.includes(':') === (type === 'AAAA'))
      .map((address) => ({ address, ttl: 300 })),
  );
  const listener = await inside();
  const { agent, connections } = agentWorld({
    ports: [listener.port],
    resolver: systemResolver({ servers: [server.server] }),
  });
  const outcome = await agent.post(requestTo(`https://hooks.example.com:${listener.port}/`));
  expect(outcome).toMatchObject({
    kind: 'failed',
    code: 'blocked_address',
    addressClass,
    maybeSent: false,
    remoteAddress: null,
  });
  expect(outcome.kind === 'failed' && outcome.detail).not.toMatch(/\d+\.\d+\.\d+|::/);
  expect(connections.sockets).toHaveLength(0);
  expect(listener.connectionCount()).toBe(0);
  expect(new Set(server.questions.map(({ type }) => type))).toEqual(new Set(['A', 'AAAA']));
});

test('blocks a chain of DNS names that ends at an internal address', async () => {
  const server = await dnsServer(({ type }) =>
    type === 'AAAA'
      ? []
      : [
          { cname: 'a.example.net' },
          { cname: 'metadata.google.internal' },
          { address: '169.254.169.254' },
        ],
  );
  const { agent, connections } = agentWorld({
    resolver: systemResolver({ servers: [server.server] }),
  });
  expect(await agent.post(requestTo('https://hooks.example.com/'))).toMatchObject({
    code: 'blocked_address',
    addressClass: 'metadata',
  });
  expect(connections.sockets).toHaveLength(0);
});

test.each<[string, DnsAnswer]>([
  ['has no address', []],
  ['does not exist', 'unknown'],
  ['gets a REFUSED response', 'refuse'],
  ['has only a CNAME record', [{ cname: 'other.example.com' }]],
])('reports a DNS failure for a name that %s', async (_what, answer) => {
  const server = await dnsServer(() => answer);
  const { agent, connections } = agentWorld({
    resolver: systemResolver({ servers: [server.server] }),
  });
  expect(await agent.post(requestTo('https://hooks.example.com/'))).toMatchObject({
    kind: 'failed',
    code: 'dns',
    maybeSent: false,
    remoteAddress: null,
  });
  expect(connections.sockets).toHaveLength(0);
});

test('fails after waiting five seconds for a DNS server that does not respond', async () => {
  const server = await dnsServer(() => 'silent');
  const { agent, clock } = agentWorld({ resolver: systemResolver({ servers: [server.server] }) });
  const posting = agent.post(requestTo('https://hooks.example.com/'));
  await server.untilQuestions(2);
  await clock.advance(5_000);
  expect(await posting).toMatchObject({ code: 'dns', timings: { dnsMs: 5_000, totalMs: 5_000 } });
});

test('never connects to an internal address when DNS answers change with each lookup', async () => {
  // 127.0.0.1 is allowed and represents a public address. 127.0.0.2 is forbidden and has a listener
  // on the same port.
  const good = await receiver(() => undefined, {
    // This receiver does not speak TLS, so every attempt that connects to it fails with `tls` and
    // can be counted.
    onConnection: (socket) => socket.end(reply(400)),
  });
  const bad = await receiver(() => undefined, { host: '127.0.0.2', port: good.port });
  const server = await dnsServer(({ type, n }) => {
    if (type === 'AAAA') return [];
    return [{ address: n % 2 === 0 ? '127.0.0.1' : '127.0.0.2', ttl: 0 }];
  });
  const { agent, connections } = agentWorld({
    allow: [`127.0.0.1:${good.port}`],
    resolver: systemResolver({ servers: [server.server] }),
  });
  const codes: string[] = [];
  for (let i = 0; i < 200; i++) {
    const outcome = await agent.post(requestTo(`https://hooks.example.com:${good.port}/`));
    codes.push(outcome.kind === 'failed' ? outcome.code : outcome.kind);
  }
  expect(codes.filter((code) => code === 'tls')).toHaveLength(100);
  expect(codes.filter((code) => code === 'blocked_address')).toHaveLength(100);
  expect(bad.connectionCount()).toBe(0);
  expect(new Set(connections.tried.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
});

test('opens no connection in ten thousand attempts to a name that also resolves to internal addresses', async () => {
  const forbidden = ['127.0.0.2', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '0.0.0.0'];
  const good = await receiver(() => undefined);
  const bad = await receiver(() => undefined, { host: '127.0.0.2', port: good.port });
  const { agent, connections } = agentWorld({
    allow: [`127.0.0.1:${good.port}`],
    addresses: (n) => ['127.0.0.1', forbidden[n % forbidden.length] ?? ''],
  });
  const codes = new Set<string>();
  for (let i = 0; i < 10_000; i++) {
    const outcome = await agent.post(requestTo(`https://hooks.example.com:${good.port}/`));
    codes.add(outcome.kind === 'failed' ? outcome.code : outcome.kind);
  }
  expect([...codes]).toEqual(['blocked_address']);
  expect(connections.sockets).toHaveLength(0);
  expect(bad.connectionCount()).toBe(0);
});

test('ignores proxy environment variables', async () => {
  const proxy = await receiver((socket) => socket.end(reply(200)));
  const good = await receiver((socket) => socket.end(reply(204)));
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
  const before = names.map((name) => process.env[name]);
  onTestFinished(() => {
    for (const [i, name] of names.entries()) {
      if (before[i] === undefined) delete process.env[name];
      else process.env[name] = before[i];
    }
  });
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  const { agent } = agentWorld({ allow: [`127.0.0.1:${good.port}`] });
  expect(await agent.post(requestTo(`http://127.0.0.1:${good.port}/`))).toMatchObject({
    status: 204,
  });
  expect(proxy.connectionCount()).toBe(0);
});
