import { createHmac } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';

/** What is signed: the timestamp as the header has it, and the bytes that are sent. */
export interface SignedContent {
  /** Whole seconds since 1970, in decimal digits. */
  timestamp: string;
  body: Uint8Array | string;
}

/**
 * The value of the signature header: `sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp
 * directly followed by the body, without a separator. The key is the secret as it is displayed, with
 * its `whsec_`, in UTF-8. Vectors: `vectors/webhook-signatures.json`.
 */
export function sign({ timestamp, body }: SignedContent, secret: string): string {
  // A text is taken as UTF-8, and costs a fifth of the same bytes in a buffer (1.6 µs to 9).
  const hmac = createHmac('sha256', secret);
  return `sha256=${hmac.update(timestamp, 'utf8').update(body).digest('hex')}`;
}

/** The value of the timestamp header. */
export function formatTimestamp(now: Instant): string {
  return String(Math.floor(now / 1_000));
}
