import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAddressWithin, parseBlock, normalizeCidr } from './cidr.ts';

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  [' 192.0.2.7 ', '192.0.2.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:0db8:0000::0001', '2001:db8::1/128'],
  ['::/0', '::/0'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
])('normalizes the CIDR block %s to %s', (text, block) => {
  expect(normalizeCidr(text)).toBe(block);
});

test.each([
  '',
  'localhost',
  '10.1.2.3/8',
  '2001:db8::1/32',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '010.0.0.0/8',
  '0x0a.0.0.0/8',
  '167772160/8',
  'fe80::1%eth0',
  '::ffff:0.0.0.0/90',
  '10.0.0.0/',
])('rejects %j as a CIDR block', (text) => {
  expect(normalizeCidr(text)).toBeNull();
});

test.each([
  ['10.255.255.255', '10.0.0.0/8', true],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['9.255.255.255', '10.0.0.0/8', false],
  ['192.0.2.127', '192.0.2.0/25', true],
  ['192.0.2.128', '192.0.2.0/25', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['2001:db8:ffff::1', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['10.0.0.1', '::/0', false],
  ['203.0.113.9', '0.0.0.0/0', true],
  ['unknown', '0.0.0.0/0', false],
  ['', '0.0.0.0/0', false],
])('reports whether the block %s is within %s: %s', (address, block, expected) => {
  expect(isAddressWithin(address, [parseBlock(block)])).toBe(expected);
});

test('finds an address that is in any of several CIDR blocks', () => {
  const blocks = ['192.0.2.0/24', '2001:db8::/32'].map(parseBlock);
  expect(isAddressWithin('2001:db8::5', blocks)).toBe(true);
  expect(isAddressWithin('198.51.100.1', blocks)).toBe(false);
  expect(isAddressWithin('198.51.100.1', [])).toBe(false);
});

test('matches exactly the addresses that share the prefix bits of an IPv4 block', () => {
  const number = fc.nat(2 ** 32 - 1);
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: 32 }), (base, other, length) => {
      const size = 2 ** (32 - length);
      const start = Math.floor(base / size) * size;
      const near = start + (other % (2 * size));
      const block = normalizeCidr(`${dotted(start)}/${length}`);
      expect(block).not.toBeNull();
      const isInside = near < start + size && near < 2 ** 32;
      fc.pre(near < 2 ** 32);
      expect(isAddressWithin(dotted(near), [parseBlock(block ?? '')])).toBe(isInside);
    }),
  );
});

function dotted(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
}
