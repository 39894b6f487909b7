import { describe, expect, it } from 'vitest';
import { earningsSurprise } from './earnings-surprise.ts';
import {
  apiResponse,
  envelope,
  errorOf,
} from '../../../test/support/providers/nasdaq-responses.ts';

const ROW = {
  fiscalQtrEnd: 'Jul 2026',
  dateReported: '8/26/2026',
  eps: 2.1,
  consensusForecast: '2.09',
  percentageSurprise: '0.48',
};

function parseRows(rows: unknown, symbol = 'MERD') {
  const body = envelope({ symbol, earningsSurpriseTable: { rows } });
  return earningsSurprise.parse(apiResponse(`company/${symbol}/earnings-surprise`, body));
}

describe("a company's past surprises", () => {
  it('contain the result, consensus and date for each quarter', () => {
    expect(parseRows([ROW]).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: '2026-07',
        fields: {
          kind: 'calendar',
          symbol: 'MERD',
          date: '2026-08-26',
          time: 'time-not-supplied',
          dateStatus: 'confirmed',
          fiscalPeriodEnd: '2026-07-31',
          fiscalPeriodPrecision: 'month',
          eps: '2.1',
          epsEstimate: '2.09',
          epsBasis: 'adjusted',
        },
      },
    ]);
  });

  it.each([
    [{ eps: 0 }, { eps: '0' }],
    [{ eps: -0.07 }, { eps: '-0.07' }],
    [{ eps: 'N/A' }, { eps: null }],
    [{ eps: null }, { eps: null }],
    [{ consensusForecast: 'N/A' }, { epsEstimate: null }],
    [{ consensusForecast: 2.09 }, { epsEstimate: '2.09' }],
  ])('with %j become %j', (change, expected) => {
    expect(parseRows([{ ...ROW, ...change }]).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ dateReported: 'N/A' }, 'missing-field'],
    [{ fiscalQtrEnd: '' }, 'missing-field'],
    [{ dateReported: '13/1/2026' }, 'bad-date'],
    [{ eps: 1e300 }, 'bad-number'],
    [{ eps: true }, 'wrong-type'],
  ])('are rejected with %j as %s', (change, reason) => {
    expect(parseRows([{ ...ROW, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('belong to the symbol in the URL', () => {
    expect(parseRows([ROW], 'HARB%2FB').rows[0]?.entityKey).toBe('HARB.B');
  });

  it.each(['HARB.B', 'HARB/B', 'harb-b', 'HARB%2FB', null])(
    'belong to that company even if the response spells it %s',
    (symbol) => {
      const body = envelope({ symbol, earningsSurpriseTable: { rows: [ROW] } });
      const response = apiResponse('company/HARB.B/earnings-surprise', body);
      expect(earningsSurprise.parse(response).rows).toHaveLength(1);
    },
  );

  it('are empty without a table', () => {
    const body = envelope({ symbol: 'MERD', earningsSurpriseTable: null });
    const response = apiResponse('company/MERD/earnings-surprise', body);
    expect(earningsSurprise.parse(response)).toEqual({ rows: [], bad: [] });
  });

  it.each([
    ['company/MERD/earnings-surprise', envelope({}), 'error-answer unexpected-shape'],
    ['company/MERD/earnings-surprise', [], 'error-answer unexpected-shape'],
    [
      'company/MERD/earnings-surprise',
      envelope({ symbol: 'TIDE', earningsSurpriseTable: { rows: [ROW] } }),
      'error-answer symbol-mismatch',
    ],
    [
      'company/%/earnings-surprise',
      envelope({ earningsSurpriseTable: { rows: [] } }),
      'damaged bad-url',
    ],
  ])('are rejected for %s with %j: %s', (path, body, errorBody) => {
    expect(errorOf(earningsSurprise, apiResponse(path, body))).toBe(errorBody);
  });
});
