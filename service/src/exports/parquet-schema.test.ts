import { expect, test } from 'vitest';
import { encoderOf, type Misfits } from './parquet-schema.ts';

test.each([
  [1.36, 6, 1_360_000n],
  [-0.4, 6, -400_000n],
  [0.1 + 0.2, 6, 300_000n],
  [0.033333333333, 12, 33_333_333_333n],
  [999_999_999_999.5, 6, 999_999_999_999_500_000n],
])('stores %s with %s places as an exact decimal', (value, places, digits) => {
  const misfits = { rounded: 0, tooLarge: 0 };
  expect(encoderOf({ kind: 'decimal', places }, misfits)(value)).toBe(digits);
  expect(misfits.tooLarge).toBe(0);
});

test('counts decimals that it rounds or that are too large for their column', () => {
  const misfits: Misfits = { rounded: 0, tooLarge: 0 };
  const encode = encoderOf({ kind: 'decimal', places: 6 }, misfits);
  expect([encode(0.0000015), encode(1), encode(null), encode(1e12)]).toEqual([
    2n,
    1_000_000n,
    null,
    null,
  ]);
  expect(misfits).toEqual({ rounded: 1, tooLarge: 1 });
});

test('converts dates and instants, as text of a response or as a number', () => {
  const misfits = { rounded: 0, tooLarge: 0 };
  expect(encoderOf({ kind: 'date' }, misfits)('2026-11-20')).toBe(20_777);
  const encode = encoderOf({ kind: 'instant' }, misfits);
  const at = Date.parse('2026-11-20T15:30:00.123Z');
  expect([encode('2026-11-20T15:30:00.123Z'), encode(at)]).toEqual([
    BigInt(at) * 1000n,
    BigInt(at) * 1000n,
  ]);
});
