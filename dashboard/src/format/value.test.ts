import { expect, test } from 'vitest';
import { fieldsOf, formatValue, isSame } from './value.ts';

test('compares decimal numbers by value, ignoring trailing zeros', () => {
  expect(isSame('1.50', 1.5)).toBe(true);
  expect(isSame('1.50', '1.5')).toBe(true);
  expect(isSame('-0.10', -0.1)).toBe(true);
  expect(isSame('1.51', 1.5)).toBe(false);
});

test('compares words and very long numbers as text', () => {
  expect(isSame('2026-11-20', '2026-11-20')).toBe(true);
  expect(isSame('10000000000000000001', '10000000000000000002')).toBe(false);
  expect(isSame(null, '0')).toBe(false);
});

test('formats any value of a row, with a dash for a missing value', () => {
  expect([null, undefined, '', 0, false].map(formatValue)).toEqual(['–', '–', '–', '0', 'false']);
  expect(formatValue(['adr', 'reit'])).toBe('adr, reit');
  expect(formatValue({ until: '2026-01-02' })).toBe('{"until":"2026-01-02"}');
});

test("returns null instead of a row's fields if the row is not an object", () => {
  expect(fieldsOf('a,b')).toBeNull();
  expect(fieldsOf([1])).toBeNull();
  expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
});
