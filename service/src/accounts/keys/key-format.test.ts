import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom, systemRandom } from '../../platform/random.ts';
import { hashKey, isWellFormedKey, generateKey, displayParts } from './key-format.ts';

test('generates a valid key from a prefix, 32 random characters and 6 checksum characters', () => {
  const live = generateKey('live', systemRandom());
  expect(live).toMatch(/^eds_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormedKey(live)).toBe(true);
  expect(generateKey('test', systemRandom())).toMatch(/^eds_test_/);
});

test('computes the checksum as the base62 CRC-32 of the prefix and the random part', () => {
  const key = `eds_live_${'0'.repeat(32)}`;
  expect(isWellFormedKey(`${key}${base62(crcByHand(key))}`)).toBe(true);
});

test('rejects a key in which any single character was changed', () => {
  const key = generateKey('live', seededRandom(5));
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'09AZaz_-'), (at, letter) => {
      fc.pre(key[at] !== letter);
      return !isWellFormedKey(key.slice(0, at) + letter + key.slice(at + 1));
    }),
  );
});

test('rejects a key in any other format', () => {
  const key = generateKey('live', seededRandom(6));
  for (const text of [
    '',
    'x',
    `${key}0`,
    ` ${key}`,
    key.toUpperCase(),
    key.replace('live', 'prod'),
  ]) {
    expect(isWellFormedKey(text)).toBe(false);
  }
});

test('stores only the SHA-256 of a key and displays only eight of its secret characters', () => {
  const key = generateKey('test', seededRandom(7));
  expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(displayParts(key)).toEqual({ prefix: key.slice(0, 13), last4: key.slice(-4) });
});

/** Computes CRC-32 (IEEE 802.3) bit by bit, independently of the library. */
function crcByHand(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text;
  }
  return text;
}
