import { expect, test } from 'vitest';
import { encode } from 'uqr';
import { pathOf } from './qr-code.tsx';

test('draws every dark module of a QR code exactly once, and no light module', () => {
  const { data, size } = encode('otpauth://totp/Afterbell:you?secret=ABC', { ecc: 'M', border: 4 });
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  for (const [, x, y, length] of pathOf(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let step = 0; step < Number(length); step++) {
      const row = drawn[Number(y)] ?? [];
      row[Number(x) + step] = (row[Number(x) + step] ?? 0) + 1;
    }
  }
  expect(drawn).toEqual(data.map((row) => row.map((isDark) => (isDark ? 1 : 0))));
});

test('ends a run of dark modules at the edge of a QR code', () => {
  expect(
    pathOf([
      [false, true, true],
      [true, false, true],
    ]),
  ).toBe('M1 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1z');
});
