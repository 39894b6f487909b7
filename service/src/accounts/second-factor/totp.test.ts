import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase32, toBase32, matchTotp, totpAddress, totpCode, totpStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

/** SHA-1 test vectors from RFC 6238, appendix B: seconds since 1970 and eight-digit codes. */
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('generates the TOTP code for second %i: %s', (second, code) => {
  expect(totpCode(secret, totpStep(second * 1_000), 8)).toBe(code);
});

/** Test vectors from RFC 4648, section 10, without padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('encodes %j as %j in Base32', (text, base32) => {
  expect(toBase32(Buffer.from(text))).toBe(base32);
  expect(Buffer.from(fromBase32(base32)).toString()).toBe(text);
});

test('decodes any Base32 text that it encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(bytes);
    }),
  );
});

const NOW = Date.UTC(2026, 10, 20, 15, 0, 10);
const step = totpStep(NOW);
const match = (code: string, lastStep: number | null = null) =>
  matchTotp({ secret, code, now: NOW, lastStep });

test.each([
  [-2, null],
  [-1, step - 1],
  [0, step],
  [1, step + 1],
  [2, null],
])('accepts a TOTP code that is %i steps away and returns step %s', (drift, matchedStep) => {
  expect(match(totpCode(secret, step + drift))).toBe(matchedStep);
});

test('accepts each TOTP code once, and rejects earlier codes after that', () => {
  expect(match(totpCode(secret, step), step - 1)).toBe(step);
  expect(match(totpCode(secret, step), step)).toBeNull();
  expect(match(totpCode(secret, step - 1), step)).toBeNull();
  expect(match(totpCode(secret, step + 1), step)).toBe(step + 1);
});

test('accepts a TOTP code typed with a space and rejects anything but six digits', () => {
  const code = totpCode(secret, step);
  expect(match(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe(step);
  for (const text of ['', code.slice(1), `${code}0`, `${code}\u0000`, '٣٤٥٦٧٨', 'abcdef']) {
    expect(match(text)).toBeNull();
  }
});

test('includes the issuer, person and secret in the TOTP URI', () => {
  expect(totpAddress('MZXW6', { issuer: 'A & B', email: 'm@example.com' })).toBe(
    'otpauth://totp/A%20%26%20B:m%40example.com?secret=MZXW6&issuer=A%20%26%20B',
  );
});
