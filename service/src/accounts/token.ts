import { createHash } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** 192 bits, which cannot be guessed. */
const TOKEN_BYTES = 24;

/** A random secret that fits into a URL and a cookie. */
export function generateToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** The stored form of a token. Tokens are random enough for a plain hash. */
export function hashToken(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
