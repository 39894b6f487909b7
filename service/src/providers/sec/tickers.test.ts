import { describe, expect, it } from 'vitest';
import { companyTickersExchange } from './company-tickers-exchange.ts';
import { companyTickers } from './company-tickers.ts';
import { jsonResponse, parseFixture } from '../../../test/support/providers/sec-responses.ts';

const LIST_URL = 'https://www.sec.gov/files/company_tickers.json';

describe('SEC ticker list feeds', () => {
  it('returns one security per ticker, keyed by canonical symbol and filer', () => {
    const { rows } = parseFixture(companyTickers, 'company-tickers');
    expect(rows.map((row) => [row.entityKey, row.naturalKey])).toEqual([
      ['LNTF', '0001900001'],
      ['DRUM.B', '0001900002'],
      ['DRUM.PR.A', '0001900002'],
      ['QUOIN', '0001900003'],
    ]);
    expect(rows[1]).toEqual({
      dataset: 'securities',
      entityKey: 'DRUM.B',
      naturalKey: '0001900002',
      fields: {
        symbol: 'DRUM.B',
        cik: '0001900002',
        name: 'Drumlin Grocers Corp /NEW',
        exchange: null,
      },
    });
  });

  it('rejects rows without a ticker or a filer and keeps the other rows', () => {
    const { bad } = parseFixture(companyTickers, 'company-tickers');
    expect(bad.map((row) => row.reason)).toEqual(['bad-symbol', 'bad-cik']);
  });

  it('reads columns by name, even without an exchange column', () => {
    const { rows, bad } = parseFixture(companyTickersExchange, 'company-tickers-exchange');
    expect(rows.map((row) => row.fields)).toEqual([
      {
        symbol: 'LNTF',
        cik: '0001900001',
        name: 'Lanternfield Optics Inc',
        exchange: 'Nasdaq',
      },
      {
        symbol: 'DRUM.B',
        cik: '0001900002',
        name: 'Drumlin Grocers Corp /NEW',
        exchange: 'NYSE',
      },
      { symbol: 'QUOIN', cik: '0001900003', name: 'QUOIN MASONRY PLC', exchange: null },
    ]);
    expect(bad.map((row) => row.reason)).toEqual(['bad-symbol']);
  });

  it('rejects list elements that are not rows', () => {
    const { bad } = companyTickers.parse(jsonResponse(LIST_URL, { '0': 7, '1': null }));
    expect(bad.map(({ reason }) => reason)).toEqual(['not-an-object', 'not-an-object']);
  });
});
