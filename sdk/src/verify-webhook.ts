import { diagnose } from './diagnose-signature.ts';
import { hmacMatches } from './hmac.ts';

/** Headers of a request: of the Fetch API, or as Node's servers give them, in small letters. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** How far the timestamp may be from now, to either side; 300 unless given. */
  toleranceSeconds?: number;
  /** In milliseconds since 1970; the clock of the machine unless given. */
  now?: number;
  /** What stands in the header names: `X-{brand}-Signature`; `Service` unless given. */
  brand?: string;
}

export type WebhookFailure =
  /** A header is not there. */
  | 'missing'
  /** A header has not the form of a signature or a timestamp. */
  | 'malformed'
  /** The signature is right, but of another time: a replay, or a clock that is wrong. */
  | 'too-old'
  | 'in-the-future'
  /** The signature was made of something else, or with another secret. */
  | 'mismatch'
  /** The body is one delivery, and the header names another. */
  | 'other-id';

export type VerifiedWebhook =
  | { ok: true; deliveryId: string; sentAt: Date }
  /** `detail` is for your log; do not send it back. */
  | { ok: false; reason: WebhookFailure; detail: string };

/**
 * Tells whether a request was sent by the service, and lately. `rawBody` is the bytes as they came,
 * before anything parsed them. `secret` may be several while you change it; in the overlap of a
 * change the request carries a second signature, and either secret will do.
 *
 * What is wrong with a request is told, not thrown; a `TypeError` says that the call is wrong.
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
  // Compared with what is no number everything would be of now.
  if (!Number.isFinite(now)) throw new TypeError('now is wanted in milliseconds since 1970');
  if (!(toleranceSeconds >= 0)) throw new TypeError('a tolerance in seconds is wanted, from 0 on');
  const names = headerNames(brand);
  const deliveryId = readHeader(headers, names.deliveryId);
  const timestamp = readHeader(headers, names.timestamp);
  const main = readHeader(headers, names.signature);
  if (main === '')
    return failed('missing', `${names.signature} is missing: is ${brand} the brand?`);
  if (timestamp === '') return failed('missing', `${names.timestamp} is missing.`);
  if (deliveryId === '') return failed('missing', `${names.deliveryId} is missing.`);
  if (!SECONDS.test(timestamp)) return failed('malformed', `${names.timestamp} is no unix time.`);
  if (!SIGNATURE.test(main)) {
    return failed('malformed', `${names.signature} is not sha256= and 64 hexadecimal digits.`);
  }
  const others = [names.next, names.previous].map((name) => readHeader(headers, name));
  const signatures = [main, ...others.filter((text) => SIGNATURE.test(text))].map(digestOf);
  if (!(await isSigned({ timestamp, body }, secrets, signatures))) {
    return failed('mismatch', await diagnose({ timestamp, body }, secrets, signatures));
  }
  const ageSeconds = Math.floor(now / 1_000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    return failed(
      'too-old',
      `It was sent ${ageSeconds} s ago: a replay, or a clock that is ahead.`,
    );
  }
  if (ageSeconds < -toleranceSeconds) {
    return failed('in-the-future', `It was sent in ${-ageSeconds} s: a clock that is behind.`);
  }
  const named = idOf(body);
  if (named !== null && named !== deliveryId) {
    return failed('other-id', `The body is ${named}, and ${names.deliveryId} says ${deliveryId}.`);
  }
  return { ok: true, deliveryId, sentAt: new Date(Number(timestamp) * 1_000) };
}

const SECONDS = /^\d{1,15}$/;
const SIGNATURE = /^sha256=[0-9a-fA-F]{64}$/;

function headerNames(brand: string) {
  const name = (end: string) => `X-${brand}-${end}`;
  return {
    deliveryId: name('Delivery-Id'),
    timestamp: name('Timestamp'),
    signature: name('Signature'),
    next: name('Signature-Next'),
    previous: name('Signature-Previous'),
  };
}

async function isSigned(
  signed: { timestamp: string; body: Uint8Array },
  secrets: readonly string[],
  signatures: readonly Uint8Array[],
): Promise<boolean> {
  const found = await Promise.all(
    secrets.flatMap((secret) =>
      signatures.map((signature) => hmacMatches(secret, signature, signed.timestamp, signed.body)),
    ),
  );
  return found.includes(true);
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError('the raw body is wanted, as bytes or text: not what a parser made of it');
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  const isGiven = (text: unknown) => typeof text === 'string' && text !== '';
  if (secrets.length > 0 && secrets.every(isGiven)) return secrets;
  throw new TypeError('a webhook secret is wanted, such as whsec_…: is its setting empty?');
}

function readHeader(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const wanted = name.toLowerCase();
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === wanted);
  return typeof entry?.[1] === 'string' ? entry[1] : '';
}

/** The digits of a signature as bytes. */
function digestOf(signature: string): Uint8Array {
  const digits = signature.slice('sha256='.length);
  return Uint8Array.from({ length: 32 }, (_, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16));
}

/** The id in the body, which is signed; the header is not. */
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

function failed(reason: WebhookFailure, detail: string): VerifiedWebhook {
  return { ok: false, reason, detail };
}
