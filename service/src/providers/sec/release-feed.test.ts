import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { createSourceResponse } from '../source-response.ts';
import { releaseFeed } from './release-feed.ts';

function parseFixture(name: string) {
  const fixture = loadFixtures(import.meta.url).find((each) => each.name === name);
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  return releaseFeed.parse(createSourceResponse(fixture.raw));
}

test('a release yields one row for itself and one for each figure, with its cell', () => {
  const { rows, bad } = parseFixture('release');
  const document = {
    cik: '0001900001',
    accession: '0001900001-26-000045',
    documentUrl:
      'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000045/ostr-ex991.htm',
    periodEnd: '2026-03-31',
  };
  expect(bad).toEqual([]);
  expect(rows.map(({ entityKey, naturalKey }) => [entityKey, naturalKey])).toEqual([
    ['CIK0001900001', '0001900001-26-000045/ostr-ex991.htm'],
    ['CIK0001900001', '0001900001-26-000045/ostr-ex991.htm#epsGaap'],
    ['CIK0001900001', '0001900001-26-000045/ostr-ex991.htm#revenue'],
  ]);
  expect(rows.map(({ fields }) => fields)).toEqual([
    {
      kind: 'release',
      ...document,
      opening: expect.stringContaining('Ostrava Instruments Inc. Reports First Quarter') as string,
      callAt: Date.parse('2026-05-05T17:00:00-04:00'),
      guidance: [
        {
          metric: 'revenue',
          period: 'quarter',
          low: '415000000',
          high: '425000000',
          currency: 'USD',
          text: expect.stringContaining('we expect revenue of $415 million') as string,
        },
      ],
    },
    {
      kind: 'stated-figure',
      ...document,
      figure: 'epsGaap',
      value: '1.46',
      currency: 'USD',
      yearAgo: '1.29',
      cell: {
        row: 'Net income per share, diluted',
        column: 'Three Months Ended March 31, 2026',
        offset: expect.any(Number) as number,
      },
    },
    expect.objectContaining({ figure: 'revenue', value: '410200000', yearAgo: '372900000' }),
  ]);
});

test('a figure that failed a check of the reader is an invalid row with its evidence', () => {
  const { rows, bad } = parseFixture('release-refused');
  expect(rows.map(({ fields }) => fields)).toMatchObject([
    { kind: 'release' },
    { figure: 'revenue' },
  ]);
  expect(bad).toMatchObject([
    {
      entityKey: 'CIK0001900001',
      reason: 'release-table-against-text',
      detail: 'epsDilutedGaap: 1.46 or 1.6',
      row: { field: 'epsDilutedGaap', accession: '0001900001-26-000046' },
    },
  ]);
});
