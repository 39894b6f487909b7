import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { checkWebhookUrl } from '../../src/webhooks/address/url-rules.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { systemResolver } from '../../src/delivery/send/resolver.ts';
import { agentWorld, requestTo, receiver } from '../support/agent-world.ts';
import { type Authority, isOpensslMissing, createAuthority } from '../support/certificates.ts';
import {
  type DnsAnswer,
  type DnsRecord,
  type Question,
  startDnsServer,
} from '../support/dns-server.ts';
import { randomForbiddenAddress, forbiddenUrls, spellingsOfV4 } from '../support/forbidden-urls.ts';
import { reply } from '../support/receiver.ts';
import { runSeed, runSize } from '../support/run-size.ts';

// The sockets provide the evidence: forbidden listeners count connections, and the agent records
// every connection that it opens.

const NAME = 'hooks.example.com';
const SEED = runSeed();

test(`never connects to addresses in refused ranges, however they are written; seed ${SEED}`, async () => {
  const random = seededRandom(SEED);
  const listener = await receiver((socket) => socket.end(reply(200)), { host: '0.0.0.0' });
  const rules = { ports: [443, listener.port], devAllow: devAllow([]) };
  const { agent, connections, lookups } = agentWorld({
    ports: rules.ports,
    addresses: ['127.0.0.1'],
  });
  const drawn = Array.from({ length: runSize({ slice: 10, whole: 400 }) }, () => {
    const [a = 0, b = 0, c = 0, d = 0] = randomForbiddenAddress(random, 4).split('.').map(Number);
    return spellingsOfV4([a, b, c, d]).map((host) => `https://${host}:${listener.port}/hook`);
  });
  const urls = [...new Set([...forbiddenUrls(listener.port), ...drawn.flat()])];
  expect(urls.length).toBeGreaterThan(500);
  for (const url of urls) {
    // The URL is checked when it is saved, and again at each attempt.
    expect(checkWebhookUrl(url, rules).ok, url).toBe(false);
    const outcome = await agent.post(requestTo(url));
    expect(outcome, url).toMatchObject({
      kind: 'failed',
      code: 'blocked_address',
      maybeSent: false,
    });
  }
  console.info(`${urls.length} forbidden URLs, seed ${SEED}`);
  expect([connections.sockets.length, listener.connectionCount(), lookups.length]).toEqual([
    0, 0, 0,
  ]);
});

describe.skipIf(isOpensslMissing())('a malicious DNS server', () => {
  let authority: Authority;
  beforeAll(() => void (authority = createAuthority()));

  /**
   * Sets up an agent with one receiver that represents all public ones. Every other address here
   * listens on the same port.
   */
  async function world(script: (question: Question) => DnsAnswer) {
    const dns = await startDnsServer(script);
    onTestFinished(() => dns.close());
    const tls = authority.issue({ name: NAME });
    const respond = (socket: { write(text: string): unknown }): void =>
      void socket.write(reply(204));
    const good = await receiver(respond, { tls });
    const otherReceivers = await Promise.all(
      OTHER_ADDRESSES.map((host) => receiver(respond, { tls, host, port: good.port })),
    );
    const parts = agentWorld({
      allow: [`127.0.0.1:${good.port}`],
      resolver: systemResolver({ servers: [dns.server] }),
      extraCa: authority.cert,
    });
    return {
      ...parts,
      dns,
      good,
      post: () => parts.agent.post(requestTo(`https://${NAME}:${good.port}/`)),
      expectNoneElsewhere(): void {
        expect(otherReceivers.map((other) => other.connectionCount())).toEqual(
          OTHER_ADDRESSES.map(() => 0),
        );
        const tried = new Set(parts.connections.tried.map(({ address }) => address));
        tried.delete('127.0.0.1');
        expect([...tried]).toEqual([]);
      },
    };
  }

  const TRIES = runSize({ slice: 150, whole: 10_000 });

  test(`never connects to an internal address in ${TRIES} lookups with changing results; seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    let now: DnsRecord[] = [];
    // Both address families in one lookup use the same draw.
    const { post, clock, dns, good, expectNoneElsewhere } = await world(({ type }) =>
      now.filter(
        (record) => 'cname' in record || record.address.includes(':') === (type === 'AAAA'),
      ),
    );
    const ends: Record<string, number> = {};
    for (let n = 0; n < TRIES; n += 1) {
      const drawn = drawResponse(random);
      now = drawn.records;
      const outcome = await post();
      const end = outcome.kind === 'failed' ? outcome.code : String(outcome.status);
      ends[end] = (ends[end] ?? 0) + 1;
      expect(end, JSON.stringify(now)).toBe(drawn.outcome);
      // A pooled connection must not outlive its DNS record.
      if (n % 10 === 0) await clock.advance(1_000);
    }
    console.info(`${TRIES} lookups: ${JSON.stringify(ends)}, seed ${SEED}`);
    expect(Object.keys(ends).toSorted()).toEqual(['204', 'blocked_address', 'dns']);
    expect(dns.questions.length).toBeGreaterThanOrEqual(2 * TRIES);
    expect(good.connectionCount()).toBeGreaterThan(0);
    expectNoneElsewhere();
  });

  test("resolves and checks a host's address again for each delivery attempt", async () => {
    let address = '127.0.0.1';
    const { post, clock, expectNoneElsewhere } = await world(({ type }) =>
      type === 'A' ? [{ address, ttl: 86_400 }] : [],
    );
    expect(await post()).toMatchObject({ kind: 'responded' });
    address = '127.0.0.2';
    // DNS records are cached for at most a minute, regardless of their TTL. Until then the agent
    // uses the old address.
    for (let second = 0; second < 62; second += 1) {
      const outcome = await post();
      const end = outcome.kind === 'failed' ? outcome.code : outcome.kind;
      expect(end).toBe(second < 60 ? 'responded' : 'blocked_address');
      await clock.advance(1_000);
    }
    expectNoneElsewhere();
  });
});

/** Other addresses of this machine. The agent may not connect to them. */
const OTHER_ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.1.2.3'];

interface DnsDraw {
  records: DnsRecord[];
  outcome: '204' | 'blocked_address' | 'dns';
}

/**
 * Draws a harmless or a malicious response. Its TTL is 0, so each attempt resolves the name again.
 */
function drawResponse(random: Random): DnsDraw {
  const good: DnsRecord = { address: '127.0.0.1', ttl: 0 };
  const bad: DnsRecord = { address: drawForbidden(random), ttl: 0 };
  const chain = Array.from({ length: 1 + random.int(6) }, (_, n) => ({
    cname: random.int(2) === 0 ? 'metadata.google.internal' : `n${n}.example.net`,
  }));
  switch (random.int(8)) {
    case 0:
    case 1:
      return { records: [good], outcome: '204' };
    case 2:
      return { records: [...chain, good], outcome: '204' };
    case 3:
      return { records: [bad], outcome: 'blocked_address' };
    case 4:
      return { records: [...chain, bad], outcome: 'blocked_address' };
    case 5:
      return { records: [good, bad], outcome: 'blocked_address' };
    case 6:
      return { records: [bad, good], outcome: 'blocked_address' };
    default:
      return { records: random.int(2) === 0 ? [] : chain, outcome: 'dns' };
  }
}

/**
 * Draws an address in either family: often one with a listener, otherwise one in a refused range.
 */
function drawForbidden(random: Random): string {
  const draw = random.int(3);
  if (draw === 0) return OTHER_ADDRESSES[random.int(OTHER_ADDRESSES.length)] ?? '';
  return randomForbiddenAddress(random, draw === 1 ? 4 : 6);
}
