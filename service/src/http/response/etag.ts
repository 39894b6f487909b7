import { createHash, type Hash } from 'node:crypto';

/** Content codings for a body. Identity is used only if no other coding is acceptable. */
export type Encoding = 'br' | 'gzip' | 'identity';

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '-br', gzip: '-gz', identity: '' };
const SUFFIX = /-(?:br|gz)$/;
/**
 * Number of characters of the digest to keep, which is 132 bits and enough to detect every change
 * to the body.
 */
const TAG_LENGTH = 22;

/**
 * Returns the entity tag for a body, without quotes. It depends only on the body, not on the API
 * key.
 */
export function tagOf(body: Uint8Array): string {
  return tagOfDigest(startDigest().update(body));
}

/** Starts the digest of a body whose parts are added one by one. */
export function startDigest(): Hash {
  return createHash('sha256');
}

/** Returns the entity tag for the body of the digest. */
export function tagOfDigest(digest: Hash): string {
  return digest.digest('base64url').slice(0, TAG_LENGTH);
}

/** Returns the strong ETag for the body in one encoding. */
export function etagOf(tag: string, encoding: Encoding): string {
  return `"${tag}${SUFFIXES[encoding]}"`;
}

/**
 * Returns true if If-None-Match matches the body in any encoding. Uses the weak comparison (RFC
 * 9110 §13.1.2): `W/` is ignored, and `*` always matches.
 */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, opaque = ''] of ifNoneMatch.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (opaque.replace(SUFFIX, '') === tag) return true;
  }
  return false;
}
