import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findViolations } from './conformance-violations.ts';
import { mutations } from './mutations.ts';
import type { BadRow, Feed, ParsedRow } from '../../../src/providers/provider.ts';

const feed: Feed = {
  name: 'feed',
  datasets: ['profiles'],
  claims: () => true,
  parse: () => ({ rows: [], bad: [] }),
};
const ROW: ParsedRow<'profiles'> = {
  dataset: 'profiles',
  entityKey: 'MERD',
  naturalKey: 'profile',
  fields: { symbol: 'MERD', sector: null, tickers: ['NA'], ipoYear: 1999 },
  quote: { symbol: 'MERD', price: '309.35', marketCap: null },
};
const BAD: BadRow = {
  dataset: 'profiles',
  entityKey: null,
  reason: 'bad-number',
  detail: 'price is "x"',
  row: { price: 'x\\u0000' },
};

/** Returns the row with a change that the types forbid, because sources are untrusted. */
function changedRow(change: object): ParsedRow {
  return { ...ROW, ...change };
}

describe('findViolations', () => {
  it('accepts valid rows without reporting a violation', () => {
    const other = { ...ROW, entityKey: 'CIK0000320193' };
    expect(findViolations(feed, { rows: [ROW, { ...ROW }, other], bad: [BAD] })).toEqual([]);
  });

  it('accepts ticker and country codes that look like placeholders', () => {
    const fields = { symbol: 'NONE', countryCode: 'NA', frequency: 'none' };
    expect(findViolations(feed, { rows: [changedRow({ fields })], bad: [] })).toEqual([]);
  });

  it.each<[string, object]>([
    ['an undeclared data set', { dataset: 'earnings' }],
    ['a subject that is not canonical', { entityKey: 'brk/b' }],
    ['a short CIK', { entityKey: 'CIK320193' }],
    ['no natural key', { naturalKey: '' }],
    ['an empty text', { fields: { sector: '' } }],
    ['a placeholder', { fields: { sector: 'N/A' } }],
    ['a placeholder in lower case', { fields: { sector: 'none' } }],
    ['a nested placeholder', { fields: { nested: [{ sector: '--' }] } }],
    ['NaN', { fields: { year: Number.NaN } }],
    ['infinity', { fields: { year: Number.POSITIVE_INFINITY } }],
    ['undefined', { fields: { sector: undefined } }],
    ['a NUL', { fields: { sector: 'a\0' } }],
    ['a lone surrogate', { fields: { sector: '\ud800' } }],
    ['a price of zero', { quote: { symbol: 'MERD', price: '0' } }],
    ['a negative price', { quote: { symbol: 'MERD', price: '-1' } }],
    ['a price that is not in normal form', { quote: { symbol: 'MERD', price: '1.20' } }],
    ['a quote without a symbol', { quote: { symbol: '?', price: '1' } }],
  ])('rejects a row with %s', (_what, change) => {
    expect(findViolations(feed, { rows: [changedRow(change)], bad: [] })).toHaveLength(1);
  });

  it.each<[string, Partial<BadRow>]>([
    ['an undeclared data set', { dataset: 'earnings' }],
    ['a reason not in kebab case', { reason: 'Bad number 7' }],
    ['a subject that is not canonical', { entityKey: 'brk/b' }],
    ['an unstorable text', { row: [{ 'k\0': 1 }] }],
  ])('rejects %s in an invalid row', (_what, change) => {
    expect(findViolations(feed, { rows: [], bad: [{ ...BAD, ...change }] })).toHaveLength(1);
  });
});

describe('mutations', () => {
  it('corrupts response bodies in ways that often leave valid JSON', () => {
    const text = JSON.stringify({ rows: [{ a: 'x', b: 1, c: null }] });
    const samples = fc.sample(mutations(text), { numRuns: 500, seed: 7 });
    const differing = samples.filter((sample) => sample !== text);
    expect(differing.length).toBeGreaterThan(400);
    expect(differing.filter(isJson).length).toBeGreaterThan(200);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
