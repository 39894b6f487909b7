import type { Instant } from '../../platform/instant.ts';
import type { PayloadFormat } from './payload.ts';
import { formatTimestamp, sign, signStandard } from './signature.ts';

/** An endpoint's signing secrets. `next` and `previous` exist only during a rotation. */
export interface SigningSecrets {
  current: string;
  /** Secret that is prepared but not yet active. */
  next: string | null;
  /** Secret that was active before the rotation. */
  previous: string | null;
}

const CONTENT_TYPES = {
  json: 'application/json',
  cloudevents: 'application/cloudevents+json',
} as const satisfies Record<PayloadFormat, string>;

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
  payloadFormat?: PayloadFormat;
  /** Adds the headers of Standard Webhooks. */
  standardWebhooks?: boolean;
  isTest?: boolean;
}): [string, string][] {
  const { brand, deliveryId, body, secrets, payloadFormat = 'json' } = options;
  const timestamp = formatTimestamp(options.now);
  const signature = (secret: string) => sign({ timestamp, body }, secret);
  const headers: [string, string][] = [
    ['Content-Type', CONTENT_TYPES[payloadFormat]],
    ['User-Agent', `${brand}-Webhooks/1.0`],
    [`X-${brand}-Delivery-Id`, deliveryId],
    [`X-${brand}-Timestamp`, timestamp],
    [`X-${brand}-Signature`, signature(secrets.current)],
  ];
  const { next, previous } = secrets;
  if (next !== null) headers.push([`X-${brand}-Signature-Next`, signature(next)]);
  if (previous !== null) headers.push([`X-${brand}-Signature-Previous`, signature(previous)]);
  if (options.isTest === true) headers.push([`X-${brand}-Test`, 'true']);
  if (options.standardWebhooks === true) {
    const signing = [secrets.current, next, previous].filter((secret) => secret !== null);
    const signatures = signing.map((secret) =>
      signStandard({ id: deliveryId, timestamp, body }, secret),
    );
    headers.push(['webhook-id', deliveryId], ['webhook-timestamp', timestamp]);
    headers.push(['webhook-signature', signatures.join(' ')]);
  }
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
