import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../endpoints/endpoint.ts';
import { readParameters } from './parameters.ts';

const about = { in: 'query', required: false, describe: '' } as const;
const TABLE: readonly Parameter[] = [
  { ...about, name: 'limit', kind: 'integer', min: 1, max: 100, default: 12 },
  { ...about, name: 'minVolume', kind: 'integer', min: 0, max: 1e12, default: null },
  { ...about, name: 'minPrice', kind: 'decimal', min: '0' },
];

function read(query: Record<string, string>) {
  const pairs = Object.entries(query).map(([name, value]) => ({ name, value }));
  return readParameters(TABLE, { query: pairs, path: new Map() }, 0);
}

describe('numbers as parameters', () => {
  it('that are left out have their default, or none', () => {
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
  ])('%j means %s', (query, canonical) => {
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
    { minPrice: '1e3' },
    { minPrice: 'NaN' },
    { minPrice: '5$' },
  ])('%j is refused', (query) => {
    expect(read(query)).toMatchObject({ refusal: { code: 'invalid-parameter' } });
  });
});
