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

describe('Nasdaq earnings surprises', () => {
  it('reads the result, consensus and date for each quarter', () => {
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
  ])('reads a past quarter with %j as %j', (change, expected) => {
    expect(parseRows([{ ...ROW, ...change }]).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ dateReported: 'N/A' }, 'missing-field'],
    [{ fiscalQtrEnd: '' }, 'missing-field'],
    [{ dateReported: '13/1/2026' }, 'bad-date'],
    [{ eps: 1e300 }, 'bad-number'],
    [{ eps: true }, 'wrong-type'],
  ])('rejects a past quarter with %j as %s', (change, reason) => {
    expect(parseRows([{ ...ROW, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('assigns past quarters to the symbol in the URL', () => {
    expect(parseRows([ROW], 'HARB%2FB').rows[0]?.entityKey).toBe('HARB.B');
  });

  it.each(['HARB.B', 'HARB/B', 'harb-b', 'HARB%2FB', null])(
    'assigns past quarters to the requested company even if the response spells its symbol %s',
    (symbol) => {
      const body = envelope({ symbol, earningsSurpriseTable: { rows: [ROW] } });
      const response = apiResponse('company/HARB.B/earnings-surprise', body);
      expect(earningsSurprise.parse(response).rows).toHaveLength(1);
    },
  );

  it('returns no past quarters for a response without a table', () => {
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
  ])('rejects the response to %s with the body %j: %s', (path, body, errorBody) => {
    expect(errorOf(earningsSurprise, apiResponse(path, body))).toBe(errorBody);
  });
});
