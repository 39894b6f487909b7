import { expect, test } from 'vitest';
import { foldCompanyName } from './company-name.ts';

test.each([
  ['QUILLON INC.', 'Quillon, Inc'],
  ['Merrow Acquisition Corp. I/Cayman', 'Merrow Acquisition Corp I'],
  ['Ostrava & Søn A.G.', 'Ostrava and Søn AG'],
  ['Éclat Holdings Co., Ltd.', 'Eclat Holdings Company Limited'],
  ["O'Hara Tools LLC", 'OHara Tools'],
])('%s and %s are one company', (left, right) => {
  expect(foldCompanyName(left)).toBe(foldCompanyName(right));
});

test.each([
  ['Merrow Acquisition Corp. I', 'Merrow Acquisition Corp. II'],
  ['Quillon Inc.', 'Quillon Therapeutics Inc.'],
  ['Harbor A Corp.', 'Harbor B Corp.'],
])('%s and %s are two companies', (left, right) => {
  expect(foldCompanyName(left)).not.toBe(foldCompanyName(right));
});

test('a name of nothing but a legal form keeps it, and a name without letters has no fold', () => {
  expect(foldCompanyName('The Company')).toBe('the-company');
  expect(foldCompanyName(' -- ')).toBeNull();
});
