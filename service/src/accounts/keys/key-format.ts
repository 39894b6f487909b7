import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../../platform/random.ts';

/**
 * A key consists of `eds_live_` or `eds_test_`, 32 random base62 characters (190 bits) and a
 * checksum of 6 base62 characters. The checksum is the CRC-32 of everything before it (ASCII,
 * including the prefix), most significant digit first, padded with `0`. With it, a mistyped or
 * invented key is rejected without a lookup; it is not a secret.
 */
export type KeyKind = 'live' | 'test';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const SHAPE = /^eds_(live|test)_[0-9A-Za-z]{38}$/;
const SHOWN_OF_SECRET = 4;

export function generateKey(kind: KeyKind, random: Random): string {
  let text = `eds_${kind}_`;
  for (let count = 0; count < SECRET_LENGTH; count++) {
    text += ALPHABET.charAt(random.int(ALPHABET.length));
  }
  return text + checksum(text);
}

/** Checks whether the text has the format of a key and a correct checksum. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECK_LENGTH)));
}

/** Returns the form of a key that is stored: its SHA-256 in lower-case hexadecimal. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Returns the parts by which people recognize a key: `eds_live_Ab3d` and the last four characters.
 */
export function displayParts(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 'eds_live_'.length + SHOWN_OF_SECRET), last4: key.slice(-4) };
}

function checksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let count = 0; count < CHECK_LENGTH; count++) {
    digits = ALPHABET.charAt(remainder % ALPHABET.length) + digits;
    remainder = Math.floor(remainder / ALPHABET.length);
  }
  return digits;
}
