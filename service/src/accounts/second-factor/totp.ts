import { Secret, TOTP } from 'otpauth';
import type { Instant } from '../../platform/instant.ts';

/** Codes follow RFC 6238 as authenticator apps generate them: HMAC-SHA-1, 30 seconds, 6 digits. */
const STEP_MS = 30_000;
/** Number of steps accepted before and after the current one, for clocks that differ. */
const DRIFT_STEPS = 1;

/** Encodes bytes in Base32 (RFC 4648) without padding, as authenticator apps expect. */
export function toBase32(bytes: Uint8Array): string {
  return secretOf(bytes).base32;
}

/** Decodes text returned by `toBase32`. */
export function fromBase32(text: string): Uint8Array {
  return Secret.fromBase32(text).bytes;
}

/** Returns the code for a time step. */
export function totpCode(secret: Uint8Array, step: number, digits = 6): string {
  return TOTP.generate({ secret: secretOf(secret), timestamp: step * STEP_MS, digits });
}

/** Returns the number of 30-second steps since 1970, rounded down (RFC 6238, section 4.2). */
export function totpStep(at: Instant): number {
  return Math.floor(at / STEP_MS);
}

/**
 * Returns the time step that a code belongs to, at most one step from the current one. Returns null
 * if the code is wrong or its step is not after `lastStep`, so that each code works only once.
 * Compares codes in constant time.
 */
export function matchTotp(options: {
  secret: Uint8Array;
  code: string;
  now: Instant;
  lastStep: number | null;
}): number | null {
  const { secret, now, lastStep } = options;
  if (!isTotpCode(options.code)) return null;
  const token = withoutSpaces(options.code);
  const window = DRIFT_STEPS;
  const drift = TOTP.validate({ token, secret: secretOf(secret), timestamp: now, window });
  const step = drift === null ? null : totpStep(now) + drift;
  return step !== null && (lastStep === null || step > lastStep) ? step : null;
}

/** Returns true for six digits, with or without spaces. Recovery codes have another form. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(withoutSpaces(code));
}

function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '');
}

/** Returns the URI for the QR code that authenticator apps scan. */
export function totpAddress(secret: string, options: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(options.issuer)}:${encodeURIComponent(options.email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(options.issuer)}`;
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
