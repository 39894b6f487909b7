import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../endpoints/endpoint.ts';
import { parseParameters } from './parse-parameters.ts';

const about = { in: 'query', required: false, describe: '' } as const;
const TABLE: readonly Parameter[] = [
  { ...about, name: 'limit', kind: 'integer', min: 1, max: 100, default: 12 },
  { ...about, name: 'minVolume', kind: 'integer', min: 0, max: 1e12, default: null },
  { ...about, name: 'minPrice', kind: 'decimal', min: '0', max: '1000000' },
  { ...about, name: 'shares', kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 },
  { ...about, name: 'asOf', kind: 'instant' },
];

function read(query: Record<string, string>) {
  const pairs = Object.entries(query).map(([name, value]) => ({ name, value }));
  return parseParameters(TABLE, { query: pairs, path: new Map() }, 0);
}

describe('integer and decimal parameters', () => {
  it('uses the default, or null, for an omitted integer or decimal parameter', () => {
    const result = read({});
    if ('refusal' in result) throw new Error('refused');
    const { values } = result;
    expect([values.integer('limit'), values.integer('minVolume')]).toEqual([12, null]);
    expect(values.decimal('minPrice')).toBeNull();
    expect(result.canonicalQuery).toBe('');
  });

  it.each([
    [{ limit: '12' }, ''],
    [{ limit: '007' }, 'limit=7'],
    [{ limit: '100' }, 'limit=100'],
    [{ minVolume: '0' }, 'minVolume=0'],
    [{ minPrice: '5.00' }, 'minPrice=5'],
    [{ minPrice: '0' }, 'minPrice=0'],
    [{ minPrice: '6.8e+4' }, 'minPrice=68000'],
    [{ minPrice: '1e-05' }, 'minPrice=0.00001'],
    [{ minPrice: '5e-324' }, 'minPrice=0'],
    [{ shares: '9007199254740991' }, 'shares=9007199254740991'],
  ])('converts the numeric parameter %j to the canonical query %s', (query, canonical) => {
    expect(read(query)).toMatchObject({ canonicalQuery: canonical });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '' },
    { limit: '1.5' },
    { limit: '1e1' },
    { limit: 'ten' },
    { limit: '-1' },
    { minVolume: '99999999999999999999' },
    { minPrice: '-0.01' },
    { minPrice: '1e7' },
    { minPrice: 'e3' },
    { minPrice: '1e9999' },
    { minPrice: 'NaN' },
    { minPrice: '5$' },
    { shares: '9007199254740992' },
    { shares: '9999999999999999' },
  ])('rejects the numeric parameter %j', (query) => {
    expect(read(query)).toMatchObject({ refusal: { code: 'invalid-parameter' } });
  });
});

describe('instant parameters', () => {
  it.each([
    ['2026-11-20T15:30:00Z', '2026-11-20T15:30:00Z'],
    ['2026-11-20T10:30:00-05:00', '2026-11-20T15:30:00Z'],
    ['2026-11-20T16:30:00 01:00', '2026-11-20T15:30:00Z'],
    ['1900-01-01T05:00:00Z', '1900-01-01T05:00:00Z'],
    ['2101-01-01T04:59:59.999Z', '2101-01-01T04:59:59.999Z'],
    // A day means its end in New York, also across a change of the offset.
    ['2026-11-20', '2026-11-21T04:59:59.999Z'],
    ['2026-03-08', '2026-03-09T03:59:59.999Z'],
  ])('parses the instant %s as %s', (asOf, meant) => {
    const canonicalQuery = `asOf=${encodeURIComponent(meant)}`.replaceAll('%3A', ':');
    expect(read({ asOf })).toMatchObject({ canonicalQuery });
  });

  // New York had no standard time before 1883, and dates after 2100 are not supported.
  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1883-11-18T16:59:59Z',
    '1900-01-01T04:59:59.999Z',
    '2101-01-01T05:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-11-31',
    '2101-01-01',
    '2026-11-31T00:00:00Z',
  ])('rejects the instant %s', (asOf) => {
    expect(read({ asOf })).toMatchObject({
      refusal: { code: 'invalid-parameter', members: { parameter: 'asOf' } },
    });
  });
});

describe('text parameters and flags without a default', () => {
  const table: readonly Parameter[] = [
    { ...about, name: 'search', kind: 'text', lengthMax: 4 },
    { ...about, name: 'active', kind: 'boolean', default: null },
  ];
  const parse = (pairs: { name: string; value: string }[]) =>
    parseParameters(table, { query: pairs, path: new Map() }, 0);

  it('accepts any text up to its length, without white space at the ends', () => {
    const result = parse([{ name: 'search', value: ' é💹 ' }]);
    if ('refusal' in result) throw new Error('refused');
    expect([result.values.text('search'), result.values.maybeFlag('active')]).toEqual([
      'é💹',
      null,
    ]);
    expect(parse([{ name: 'search', value: '\u0000' }])).not.toHaveProperty('refusal');
    for (const value of ['', 'abcde']) {
      expect(parse([{ name: 'search', value }])).toMatchObject({
        refusal: { code: 'invalid-parameter', members: { parameter: 'search' } },
      });
    }
  });

  it('distinguishes a flag that is false from a missing one', () => {
    const result = parse([{ name: 'active', value: 'FALSE' }]);
    if ('refusal' in result) throw new Error('refused');
    expect([result.values.maybeFlag('active'), result.canonicalQuery]).toEqual([
      false,
      'active=false',
    ]);
  });
});
