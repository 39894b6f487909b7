import { expect, test } from 'vitest';
import { compareBy, compareText } from './compare.ts';

test('orders texts by UTF-16 code units, independently of the locale', () => {
  expect(['b', 'a', 'ä', 'B', 'a'].toSorted(compareText)).toEqual(['B', 'a', 'a', 'b', 'ä']);
});

test('orders rows by a text derived from each row and keeps the order of equal rows', () => {
  const rows = [
    { symbol: 'MERD', n: 1 },
    { symbol: 'ACME', n: 2 },
    { symbol: 'MERD', n: 3 },
  ];
  expect(rows.toSorted(compareBy(({ symbol }) => symbol)).map(({ n }) => n)).toEqual([2, 1, 3]);
});
