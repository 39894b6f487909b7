import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';

/** RFC 6238 codes as authenticator apps generate them: HMAC-SHA-1, 30 seconds, 6 digits. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepted steps to either side, for clocks that differ. */
const DRIFT_STEPS = 1;

/** The code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Number of 30-second steps since 1970, rounded down (RFC 6238, section 4.2). */
export function totpStep(at: Instant): number {
  return Math.floor(at / STEP_MS);
}

/**
 * The time step of a code, at most one step away; null if the code is wrong or its step is not
 * after `lastStep`, so that a code works once.
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

/** The URI in the QR code for authenticator apps. */
export function totpAddress(secret: string, options: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(options.issuer)}:${encodeURIComponent(options.email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(options.issuer)}`;
}
