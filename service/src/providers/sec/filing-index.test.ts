import { describe, expect, it } from 'vitest';
import { filingIndex } from './filing-index.ts';
import { parseFixture } from '../../../test/support/providers/sec-responses.ts';

const EXPECTED = {
  dataset: 'earnings',
  entityKey: 'CIK0001900001',
  naturalKey: '0001900001-26-000041',
  fields: {
    kind: 'filing',
    cik: '0001900001',
    accession: '0001900001-26-000041',
    form: '8-K',
    items: ['2.02', '9.01'],
    filingDate: '2026-11-19',
    reportDate: '2026-11-18',
    acceptance: { certain: Date.UTC(2026, 10, 19, 21, 21, 5) },
    sourceUrl:
      'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000041/0001900001-26-000041-index.html',
  },
};

describe('SEC filing index pages', () => {
  it('returns the confirmed acceptance time and the size, under the key that other feeds use for the filing', () => {
    const fields = { ...EXPECTED.fields, size: 182_044 };
    expect(parseFixture(filingIndex, 'filing-index').rows).toEqual([{ ...EXPECTED, fields }]);
  });

  it('returns the same result from the header of the full text, which states no size', () => {
    expect(parseFixture(filingIndex, 'filing-header').rows).toEqual([EXPECTED]);
  });

  it('returns no rows for a filing without results', () => {
    expect(parseFixture(filingIndex, 'filing-index-other-event')).toEqual({ rows: [], bad: [] });
  });
});
