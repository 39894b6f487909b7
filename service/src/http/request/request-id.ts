import type { Random } from '../../platform/random.ts';

/**
 * Ids of requests: unique across processes by a random start, and cheap, as every answer carries
 * one. They are no secret and protect nothing.
 */
export function createRequestIds(random: Random): () => string {
  const start = Buffer.from(random.bytes(9)).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `req_${start}${count.toString(36)}`;
  };
}
