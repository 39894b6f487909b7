import { createHash } from 'node:crypto';

const HASH_LENGTH = 8;

/**
 * Returns a webhook URL as the audit log keeps it: its origin and a short hash of the rest, because
 * the path and query are the secret of many services.
 */
export function auditUrl(url: string): string {
  const origin = /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
  const rest = url.slice(origin.length);
  if (rest === '' || rest === '/') return origin;
  const hash = createHash('sha256').update(rest).digest('hex').slice(0, HASH_LENGTH);
  return `${origin}/…${hash}`;
}
