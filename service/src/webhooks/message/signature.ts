import { createHmac, createSecretKey } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import { memoize } from '../../platform/memoize.ts';

/** The signed content: the timestamp header and the request body. */
export interface SignedContent {
  /** Unix time in whole seconds, as a decimal number. */
  timestamp: string;
  body: Uint8Array | string;
}

/**
 * Returns the signature header: `sha256=` and the hexadecimal HMAC-SHA256 of the timestamp directly
 * followed by the body, without a separator. The key is the secret as displayed, including
 * `whsec_`, in UTF-8. Test vectors: `vectors/webhook-signatures.json`.
 */
export function sign({ timestamp, body }: SignedContent, secret: string): string {
  // Hashing a string as UTF-8 is five times faster than hashing the same bytes from a buffer (1.6
  // µs instead of 9 µs).
  const hmac = createHmac('sha256', secret);
  return `sha256=${hmac.update(timestamp, 'utf8').update(body).digest('hex')}`;
}

/**
 * Returns the signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of the id, the
 * timestamp and the body, separated by dots. The key is the bytes that the secret encodes.
 */
export function signStandard(
  { id, timestamp, body }: SignedContent & { id: string },
  secret: string,
): string {
  const hmac = createHmac('sha256', standardKey(secret));
  return `v1,${hmac.update(`${id}.${timestamp}.`, 'utf8').update(body).digest('base64')}`;
}

// With the bytes of the key instead of this object, hashing takes 15 µs instead of 3.
const standardKey = memoize((secret: string) =>
  createSecretKey(secret.replace('whsec_', ''), 'base64'),
);

/** Returns the timestamp header. */
export function formatTimestamp(now: Instant): string {
  return String(Math.floor(now / 1_000));
}
