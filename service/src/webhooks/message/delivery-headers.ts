import type { Instant } from '../../platform/instant.ts';
import { sign, formatTimestamp } from './signature.ts';

/** The secrets that sign for an endpoint now; next and previous only while it changes its secret. */
export interface SigningSecrets {
  current: string;
  /** Prepared, and not in force yet. */
  next: string | null;
  /** Was in force until a while ago. */
  previous: string | null;
}

/**
 * The headers of one attempt in the order in which they are sent. The timestamp and the signatures
 * are of this attempt; the id is that of the delivery, and of the body. Outside a change of secrets
 * there is one signature.
 */
export function deliveryHeaders(options: {
  /** As `headerBrand` makes it. */
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

/** The name that stands in headers: of the setting what a header name may hold, else `Service`. */
export function brandForHeaders(setting: string | null): string {
  const words = (setting ?? '').normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? [];
  return words.length === 0 ? 'Service' : words.join('-').slice(0, 40);
}
