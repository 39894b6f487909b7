import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forbiddenAddress } from './forbidden-address.ts';

// The first and last address of each range, and the public addresses next to the range.
test.each([
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0', '255.255.255.255', null, null],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::', null],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
])('blocks the range %s to %s but not its neighbors %s and %s', (first, last, below, above) => {
  expect([first, last].map(forbiddenAddress)).not.toContain(null);
  for (const neighbor of [below, above]) {
    if (neighbor !== null) expect(forbiddenAddress(neighbor)).toBe(null);
  }
});

test.each([
  ['169.254.169.254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fe80::1', 'link-local'],
  ['::ffff:8.8.8.8', 'not-global'],
  ['::ffff:127.0.0.1', 'not-global'],
  ['::8.8.8.8', 'not-global'],
  ['64:ff9b::7f00:1', 'not-global'],
  ['fe80::1%eth0', 'not-an-address'],
  ['2606:4700::1%eth0', 'not-an-address'],
  ['127.1', 'not-an-address'],
  ['0x7f.0.0.1', 'not-an-address'],
  ['010.0.0.1', 'not-an-address'],
  ['2130706433', 'not-an-address'],
  ['[::1]', 'not-an-address'],
  ['localhost', 'not-an-address'],
  ['', 'not-an-address'],
] as const)('blocks the address "%s" as %s', (address, name) => {
  expect(forbiddenAddress(address)).toBe(name);
});

// Builds the same ranges with Node's `BlockList` as an independent implementation.
function otherOpinion(): { v4: BlockList; v6: BlockList; global: BlockList } {
  const [v4, v6, global] = [new BlockList(), new BlockList(), new BlockList()];
  for (const [base, bits] of [
    ...([
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
    ] as const),
    ...([
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
    ] as const),
    ...([
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
    ] as const),
    ...([
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ] as const),
    ...([['168.63.129.16', 32]] as const),
  ]) {
    v4.addSubnet(base, bits, 'ipv4');
  }
  for (const [base, bits] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const) {
    v6.addSubnet(base, bits, 'ipv6');
  }
  global.addSubnet('2000::', 3, 'ipv6');
  return { v4, v6, global };
}

test('classifies every address in the same way as an independent implementation', () => {
  const { v4, v6, global } = otherOpinion();
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(forbiddenAddress(address) !== null).toBe(v4.check(address, 'ipv4'));
    }),
    { numRuns: 2000 },
  );
  const near = fc.constantFrom('2001:', '2001:db8:', '2002:', '3fff:', '2600:', '2001:1ff:', '');
  const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
  const address6 = fc
    .tuple(near, fc.array(group, { minLength: 8, maxLength: 8 }))
    .map(([start, groups]) => {
      const given = start.split(':').filter((part) => part !== '');
      return [...given, ...groups].slice(0, 8).join(':');
    });
  fc.assert(
    fc.property(address6, (address) => {
      const isIsatap = /^(?:[\da-f]+:){4}(?:0|200):5efe:/.test(address);
      const isForbidden = isIsatap || !global.check(address, 'ipv6') || v6.check(address, 'ipv6');
      expect(forbiddenAddress(address) !== null).toBe(isForbidden);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '2600:1f18::5efe:a00:1',
  '2600:1f18::200:5efe:808:808',
  '2a00:1098:0:1:0:5efe:10.0.0.1',
])('blocks the ISATAP address %s, which contains an IPv4 address', (address) => {
  expect(forbiddenAddress(address)).toBe('relay');
});
