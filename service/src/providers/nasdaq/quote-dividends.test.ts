import { describe, expect, it } from 'vitest';
import { quoteDividends } from './quote-dividends.ts';
import {
  apiResponse,
  envelope,
  errorOf,
} from '../../../test/support/providers/nasdaq-responses.ts';

const ROW = {
  exOrEffDate: '05/10/2026',
  type: 'Cash',
  amount: '$0.25',
  declarationDate: '04/30/2026',
  recordDate: '05/11/2026',
  paymentDate: 'N/A',
  currency: 'USD',
};

function parseRows(rows: unknown, symbol = 'MERD') {
  const body = envelope({ dividends: { rows } });
  return quoteDividends.parse(apiResponse(`quote/${symbol}/dividends?assetclass=stocks`, body));
}

describe('Nasdaq dividends for one security', () => {
  it('assigns dividends to the symbol in the URL and keys them by ex-date', () => {
    expect(parseRows([ROW], 'HARB%2FB').rows).toEqual([
      {
        dataset: 'dividends',
        entityKey: 'HARB.B',
        naturalKey: 'ex:2026-05-10',
        fields: {
          symbol: 'HARB.B',
          exDate: '2026-05-10',
          recordDate: '2026-05-11',
          paymentDate: null,
          declarationDate: '2026-04-30',
          type: 'cash',
          currency: 'USD',
          amount: '0.25',
        },
      },
    ]);
  });

  it('reads no amount for a dividend paid in shares', () => {
    const fields = parseRows([{ ...ROW, type: 'Stock', amount: '5%' }]).rows[0]?.fields;
    expect(fields).toMatchObject({ type: 'stock' });
    expect(fields).not.toHaveProperty('amount');
  });

  it.each([
    [{ type: 'Scrip' }, 'unknown-type'],
    [{ currency: 'dollars' }, 'bad-currency'],
    [{ exOrEffDate: 'N/A' }, 'missing-field'],
    [{ amount: '-$0.25' }, 'bad-number'],
  ])('rejects a dividend with %j as %s', (change, reason) => {
    expect(parseRows([{ ...ROW, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('rejects a dividend response whose URL has no symbol', () => {
    const response = apiResponse('quote/%/dividends', envelope({ dividends: { rows: [] } }));
    expect(errorOf(quoteDividends, response)).toBe('damaged bad-url');
  });
});
