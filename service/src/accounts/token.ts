import { createHash } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** 192 random bits cannot be guessed. */
const TOKEN_BYTES = 24;

/** Returns a random secret that can be used in a URL or a cookie. */
export function generateToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** Returns the form of a token that is stored. Tokens are random enough for a plain hash. */
export function hashToken(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
