import type { Instant } from '../../platform/instant.ts';
import { sign, formatTimestamp } from './signature.ts';

/** An endpoint's signing secrets. `next` and `previous` exist only during a rotation. */
export interface SigningSecrets {
  current: string;
  /** Secret that is prepared but not yet active. */
  next: string | null;
  /** Secret that was active before the rotation. */
  previous: string | null;
}

/**
 * Returns the headers for an attempt in the order in which they are sent. The timestamp and
 * signatures are specific to the attempt. The ID identifies the delivery and is also in the
 * payload. There is one signature, or more during a rotation.
 */
export function deliveryHeaders(options: {
  /** The result of `brandForHeaders`. */
  brand: string;
  deliveryId: string;
  now: Instant;
  body: Uint8Array | string;
  secrets: SigningSecrets;
}): [string, string][] {
  const { brand, deliveryId, body, secrets } = options;
  const timestamp = formatTimestamp(options.now);
  const signature = (secret: string) => sign({ timestamp, body }, secret);
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', `${brand}-Webhooks/1.0`],
    [`X-${brand}-Delivery-Id`, deliveryId],
    [`X-${brand}-Timestamp`, timestamp],
    [`X-${brand}-Signature`, signature(secrets.current)],
  ];
  const { next, previous } = secrets;
  if (next !== null) headers.push([`X-${brand}-Signature-Next`, signature(next)]);
  if (previous !== null) headers.push([`X-${brand}-Signature-Previous`, signature(previous)]);
  return headers;
}

/**
 * Returns the part of header names that identifies the brand: its letters and digits, or `Service`
 * if it has none.
 */
export function brandForHeaders(setting: string | null): string {
  const words = (setting ?? '').normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  return words.length === 0 ? 'Service' : words.join('-').slice(0, 40);
}
