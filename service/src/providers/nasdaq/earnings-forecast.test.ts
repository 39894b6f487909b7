import { expect, test } from 'vitest';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';
import { earningsForecast } from './earnings-forecast.ts';

const ROW = {
  fiscalEnd: 'Oct 2026',
  consensusEPSForecast: 1.15,
  highEPSForecast: 1.22,
  lowEPSForecast: 1.1,
  noOfEstimates: 9,
  up: 2,
  down: 0,
};

function parseRows(...rows: object[]) {
  const quarterlyForecast = { asOf: null, rows };
  const yearlyForecast = { asOf: null, rows: [{ ...ROW, fiscalEnd: 'Jan 2027' }] };
  const body = envelope({ symbol: 'merd', quarterlyForecast, yearlyForecast });
  return earningsForecast.parse(apiResponse('analyst/MERD/earnings-forecast', body));
}

test('reads the range, the number of analysts and the revisions of a quarter, and no year', () => {
  expect(parseRows(ROW)).toEqual({
    rows: [
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: 'ahead:2026-10',
        fields: {
          kind: 'figures',
          symbol: 'MERD',
          fiscalPeriodEnd: '2026-10-31',
          fiscalPeriodPrecision: 'month',
          epsConsensus: {
            mean: '1.15',
            low: '1.1',
            high: '1.22',
            count: 9,
            mean7DaysAgo: null,
            mean30DaysAgo: null,
            mean60DaysAgo: null,
            mean90DaysAgo: null,
            revisions: {
              upLast7Days: null,
              downLast7Days: null,
              upLast30Days: 2,
              downLast30Days: 0,
            },
          },
        },
      },
    ],
    bad: [],
  });
});

test('reads numbers written as text, and a missing value as unknown', () => {
  const row = { ...ROW, consensusEPSForecast: '(0.12)', highEPSForecast: 'N/A', up: '1' };
  const [parsed] = parseRows({ ...row, lowEPSForecast: -0.2 }).rows;
  expect(parsed?.fields).toMatchObject({
    epsConsensus: { mean: '-0.12', low: '-0.2', high: null, revisions: { upLast30Days: 1 } },
  });
});

test('skips a quarter without estimates', () => {
  const zeros = { consensusEPSForecast: 0, highEPSForecast: 0, lowEPSForecast: 0 };
  expect(parseRows({ ...ROW, ...zeros, noOfEstimates: 0 })).toEqual({ rows: [], bad: [] });
});

test('quarantines a range that contradicts itself and an unreadable quarter', () => {
  const bad = [
    { ...ROW, lowEPSForecast: 1.3 },
    { ...ROW, fiscalEnd: 'soon' },
  ];
  expect(parseRows(ROW, ...bad)).toMatchObject({
    rows: [{ naturalKey: 'ahead:2026-10' }],
    bad: [{ reason: 'low-above-high' }, { reason: 'bad-date' }],
  });
});
