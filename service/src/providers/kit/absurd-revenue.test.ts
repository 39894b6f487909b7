import { expect, it } from 'vitest';
import { rejectAbsurdRevenue } from './absurd-revenue.ts';

it.each([
  ['-201', '100'],
  ['-5000000000', '326730754'],
])('rejects revenue of %s against a consensus of %s', (revenue, revenueEstimate) => {
  expect(() => rejectAbsurdRevenue({ revenue, revenueEstimate })).toThrow('with a consensus');
});

it.each([
  ['-200', '100'],
  ['-999', '-100'],
  ['-999', null],
  ['-999', '0'],
  ['900', '100'],
  [null, '100'],
])('accepts revenue of %s against a consensus of %s', (revenue, revenueEstimate) => {
  expect(() => rejectAbsurdRevenue({ revenue, revenueEstimate })).not.toThrow();
});
