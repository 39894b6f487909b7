import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';

/** Codes of RFC 6238 as every authenticator app makes them: HMAC-SHA-1, 30 seconds, 6 digits. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps to either side that are taken, for clocks that are off. */
const DRIFT_STEPS = 1;

/** The code of a step of time, steps counted from 1970 (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Steps of 30 seconds from 1970 to that moment, rounded down (RFC 6238, section 4.2). */
export function totpStep(at: Instant): number {
  return Math.floor(at / STEP_MS);
}

/**
 * The step whose code this is, now or one step away; null when it is none, or of a step that is not
 * after `lastStep`: a code opens once.
 */
export function matchTotp(options: {
  secret: Uint8Array;
  code: string;
  now: Instant;
  lastStep: number | null;
}): number | null {
  const { secret, now, lastStep } = options;
  const code = options.code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return null;
  let matched: number | null = null;
  for (let drift = -DRIFT_STEPS; drift <= DRIFT_STEPS; drift++) {
    const step = totpStep(now) + drift;
    const isSame = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (isSame && (lastStep === null || step > lastStep)) matched = step;
  }
  return matched;
}

/** What an authenticator app reads from a picture. */
export function totpAddress(secret: string, options: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(options.issuer)}:${encodeURIComponent(options.email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(options.issuer)}`;
}
