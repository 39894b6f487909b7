import { expect, it } from 'vitest';
import { COMPANIES_MAX, companyName, namingOf } from './names.ts';

const REAL = ['AAPL', 'MSFT', 'NVDA', 'GOOGL', 'AMZN', 'BRK.B', 'TSLA', 'JPM', 'WMT', 'KO', 'COST'];

it('gives every company a unique ticker with an ending that no real ticker has', () => {
  const symbols = Array.from({ length: COMPANIES_MAX }, (_, index) => namingOf(index).symbol);
  expect(new Set(symbols).size).toBe(COMPANIES_MAX);
  for (const symbol of symbols) expect(symbol).toMatch(/^[A-Z]{3,4}QZ$/);
  for (const real of REAL) expect(symbols).not.toContain(real);
});

it('gives every company a unique name that begins with the same letters as its ticker', () => {
  const stems = Array.from({ length: COMPANIES_MAX }, (_, index) => namingOf(index).stem);
  expect(new Set(stems).size).toBe(COMPANIES_MAX);
  expect(companyName(3, 'Machinery').startsWith(`${namingOf(3).stem} Machinery `)).toBe(true);
  expect(namingOf(3).stem.charAt(0)).toBe(namingOf(3).symbol.charAt(0));
});
