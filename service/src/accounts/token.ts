import { createHash } from 'node:crypto';
import type { Random } from '../platform/random.ts';

/** Bytes of a token: 192 bits, which nobody guesses. */
const TOKEN_BYTES = 24;

/** A secret that opens something, in letters that fit into a link and a cookie. */
export function generateToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** What stands for a token in the store. It is random enough that a plain hash keeps it. */
export function hashToken(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
