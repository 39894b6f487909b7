import type { Random } from '../../platform/random.ts';

/**
 * Creates a generator of request IDs. They are cheap, unique across processes because of a random
 * prefix, and not secret.
 */
export function createRequestIds(random: Random): () => string {
  const prefix = Buffer.from(random.bytes(9)).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `req_${prefix}${count.toString(36)}`;
  };
}
