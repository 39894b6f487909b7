import type { Random } from '../../platform/random.ts';

/**
 * Creates a generator for request IDs. The IDs are cheap to create and not secret, and a random
 * prefix makes them unique across processes.
 */
export function createRequestIds(random: Random): () => string {
  const prefix = Buffer.from(random.bytes(9)).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `req_${prefix}${count.toString(36)}`;
  };
}
