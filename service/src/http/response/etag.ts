import { createHash } from 'node:crypto';

/** How a body may be encoded, the plain one last resort. */
export type Encoding = 'br' | 'gzip' | 'identity';

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '-br', gzip: '-gz', identity: '' };
const SUFFIX = /-(?:br|gz)$/;
/** 132 bits of the digest: a change of the body is never missed. */
const TAG_LENGTH = 22;

/** The tag of a body, without quotes: it depends on nothing else, not on the key either. */
export function tagOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH);
}

/** The strong ETag of one encoding of that body. */
export function etagOf(tag: string, encoding: Encoding): string {
  return `"${tag}${SUFFIXES[encoding]}"`;
}

/**
 * Whether If-None-Match names the body, in any encoding. The weak comparison applies (RFC 9110
 * §13.1.2): `W/` does not matter, and `*` matches whatever there is.
 */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  for (const [, opaque = ''] of ifNoneMatch.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (opaque.replace(SUFFIX, '') === tag) return true;
  }
  return false;
}
