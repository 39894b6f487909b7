import { diagnoseSignature } from './diagnose-signature.ts';
import { hmacMatches } from './hmac.ts';

/**
 * Request headers, either as Fetch API `Headers` or in lower case as provided by Node's servers.
 */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /**
   * Maximum difference between the timestamp and now, in either direction, in seconds; 300 by
   * default.
   */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; the system clock by default. */
  now?: number;
  /** Brand in the header names, `X-{brand}-Signature`; `Service` by default. */
  brand?: string;
}

export type WebhookFailure =
  /** A required header is missing. */
  | 'missing'
  /** A header does not have the form of a signature or a timestamp. */
  | 'malformed'
  /**
   * The signature is valid but its time differs too much from now. Either the request is a replay
   * or a clock is wrong.
   */
  | 'too-old'
  | 'in-the-future'
  /** The signature was computed over different data or with a different secret. */
  | 'mismatch'
  /** The delivery id in the header differs from the id in the body. */
  | 'other-id';

export type VerifiedWebhook =
  | {
      ok: true;
      deliveryId: string;
      sentAt: Date;
      /** A test delivery, with real data. The mark is a header that the signature does not cover. */
      isTest: boolean;
    }
  /** `detail` is for your log; do not include it in the response. */
  | { ok: false; reason: WebhookFailure; detail: string };

/**
 * Verifies that the service sent a request, and that it did so recently. `rawBody` is the body as
 * received, before parsing. Pass several secrets during a rotation: the request then carries a
 * second signature, and either secret is accepted. A request without our headers is verified by those
 * of Standard Webhooks, for endpoints that send them.
 *
 * Returns the problem with a request instead of throwing it. A `TypeError` means that the call
 * itself is invalid.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  const body = bytesOf(rawBody);
  const secrets = secretsOf(secret);
  const { toleranceSeconds = 300, now = clockNow(), brand = 'Service' } = options;
  // If `now` were NaN, every timestamp would be accepted as current.
  if (!Number.isFinite(now)) throw new TypeError('now must be in milliseconds since 1970');
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be 0 or more');
  const request = readSignedRequest(headers, brand);
  if ('ok' in request) return request;
  const { scheme, deliveryId, timestamp, signatures } = request;
  if (!(await isSigned(request, body, secrets))) {
    const detail =
      scheme === 'standard'
        ? 'No secret matches webhook-signature, which covers the raw bytes of the body.'
        : await diagnoseSignature({ timestamp, body }, secrets, signatures);
    return failed('mismatch', detail);
  }
  const ageSeconds = Math.floor(now / 1_000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    return failed('too-old', `It was sent ${ageSeconds} s ago: a replay, or your clock is ahead.`);
  }
  if (ageSeconds < -toleranceSeconds) {
    return failed(
      'in-the-future',
      `It was sent ${-ageSeconds} s in the future: your clock is behind.`,
    );
  }
  const signedId = idOf(body);
  if (signedId !== null && signedId !== deliveryId) {
    return failed('other-id', `The body is ${signedId}, but the header names ${deliveryId}.`);
  }
  const isTest = readHeader(headers, `X-${brand}-Test`) === 'true';
  return { ok: true, deliveryId, sentAt: new Date(Number(timestamp) * 1_000), isTest };
}

/** The headers of a request that has all of them. */
interface SignedRequest {
  /** Ours, or those of Standard Webhooks. */
  scheme: 'own' | 'standard';
  deliveryId: string;
  timestamp: string;
  signatures: readonly Uint8Array[];
}

const SECONDS = /^\d{1,15}$/;
const SIGNATURE = /^sha256=[0-9a-fA-F]{64}$/;
const STANDARD_SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;

/** Reads our headers, or those of Standard Webhooks if a request has only them. */
function readSignedRequest(
  headers: WebhookHeaders,
  brand: string,
): SignedRequest | (VerifiedWebhook & { ok: false }) {
  const read = (name: string) => readHeader(headers, name);
  const isStandard = read(`X-${brand}-Signature`) === '' && read('webhook-signature') !== '';
  const [idName, timestampName, signatureName] = isStandard
    ? (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)
    : ([`X-${brand}-Delivery-Id`, `X-${brand}-Timestamp`, `X-${brand}-Signature`] as const);
  const main = read(signatureName);
  const timestamp = read(timestampName);
  const deliveryId = read(idName);
  if (main === '') return failed('missing', `${signatureName} is missing: is ${brand} the brand?`);
  if (timestamp === '') return failed('missing', `${timestampName} is missing.`);
  if (deliveryId === '') return failed('missing', `${idName} is missing.`);
  if (!SECONDS.test(timestamp)) return failed('malformed', `${timestampName} is not a Unix time.`);
  if (isStandard) {
    const texts = main.split(' ').filter((text) => STANDARD_SIGNATURE.test(text));
    if (texts.length === 0) return failed('malformed', `${signatureName} has no v1 signature.`);
    const signatures = texts.map((text) => fromBase64(text.slice('v1,'.length)));
    return { scheme: 'standard', deliveryId, timestamp, signatures };
  }
  if (!SIGNATURE.test(main)) {
    return failed('malformed', `${signatureName} is not sha256= and 64 hexadecimal digits.`);
  }
  const others = ['Next', 'Previous'].map((end) => read(`${signatureName}-${end}`));
  const signatures = [main, ...others.filter((text) => SIGNATURE.test(text))].map(digestOf);
  return { scheme: 'own', deliveryId, timestamp, signatures };
}

async function isSigned(
  { scheme, deliveryId, timestamp, signatures }: SignedRequest,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const isStandard = scheme === 'standard';
  const head = isStandard ? `${deliveryId}.${timestamp}.` : timestamp;
  const keys = secrets.map((secret) =>
    isStandard ? fromBase64(secret.replace('whsec_', '')) : new TextEncoder().encode(secret),
  );
  const matches = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => hmacMatches(key, signature, head, body))),
  );
  return matches.includes(true);
}

/** Decodes base64; returns no bytes for another text. */
function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError('rawBody must be bytes or text, not a parsed value');
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  const isSet = (text: unknown) => typeof text === 'string' && text !== '';
  if (secrets.length > 0 && secrets.every(isSet)) return secrets;
  throw new TypeError('secret must be a webhook secret, such as whsec_…: is its setting empty?');
}

function readHeader(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const lowerCase = name.toLowerCase();
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === lowerCase);
  return typeof entry?.[1] === 'string' ? entry[1] : '';
}

/** Decodes the hexadecimal digits of a signature. */
function digestOf(signature: string): Uint8Array {
  const digits = signature.slice('sha256='.length);
  return Uint8Array.from({ length: 32 }, (_, index) =>
    parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}

/** Returns the id in the body, which is signed; the id in the header is not. */
function idOf(body: Uint8Array): string | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    const id = (parsed as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function clockNow(): number {
  return Date.now();
}

function failed(reason: WebhookFailure, detail: string) {
  return { ok: false as const, reason, detail };
}
