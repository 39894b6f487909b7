import { expect, test } from 'vitest';
import { foldCompanyName } from './company-name.ts';

test.each([
  ['QUILLON INC.', 'Quillon, Inc'],
  ['Merrow Acquisition Corp. I/Cayman', 'Merrow Acquisition Corp I'],
  ['Ostrava & Søn A.G.', 'Ostrava and Søn AG'],
  ['Éclat Holdings Co., Ltd.', 'Eclat Holdings Company Limited'],
  ["O'Hara Tools LLC", 'OHara Tools'],
])('normalizes the company names %s and %s to the same text', (left, right) => {
  expect(foldCompanyName(left)).toBe(foldCompanyName(right));
});

test.each([
  ['Merrow Acquisition Corp. I', 'Merrow Acquisition Corp. II'],
  ['Quillon Inc.', 'Quillon Therapeutics Inc.'],
  ['Harbor A Corp.', 'Harbor B Corp.'],
])('normalizes the company names %s and %s to different texts', (left, right) => {
  expect(foldCompanyName(left)).not.toBe(foldCompanyName(right));
});

test('keeps a company name that consists only of a legal form, and returns null for a name without letters', () => {
  expect(foldCompanyName('The Company')).toBe('the-company');
  expect(foldCompanyName(' -- ')).toBeNull();
});
