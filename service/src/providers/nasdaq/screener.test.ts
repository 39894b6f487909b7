import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { screener } from './screener.ts';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';

const ROW = {
  symbol: 'MERD',
  name: 'Meridian Tools Inc. Common Stock ',
  lastsale: '$309.35',
  netchange: '5.88',
  marketCap: '4514709583.00',
  country: 'United States',
  ipoyear: '1999',
  industry: 'Industrial Machinery',
  sector: 'Industrials',
};

function parseRow(change: object, exchange = 'nyse') {
  const path = `screener/stocks?exchange=${exchange}&download=true`;
  return screener.parse(apiResponse(path, envelope({ rows: [{ ...ROW, ...change }] })));
}

describe('the Nasdaq stock screener', () => {
  it('returns a profile and a price without a date for each screener row', () => {
    expect(parseRow({}).rows).toEqual([
      {
        dataset: 'profiles',
        entityKey: 'MERD',
        naturalKey: 'profile',
        fields: {
          symbol: 'MERD',
          companyName: 'Meridian Tools Inc. Common Stock',
          exchange: 'NYSE',
          sector: 'Industrials',
          industry: 'Industrial Machinery',
          country: 'United States',
          ipoYear: 1999,
        },
        quote: { symbol: 'MERD', price: '309.35', marketCap: '4514709583' },
      },
    ]);
  });

  it('assigns rows to the requested exchange, regardless of the case of the parameter', () => {
    const { rows, bars } = parseRow({ volume: '100' }, 'NYSE');
    expect(rows[0]?.fields).toMatchObject({ exchange: 'NYSE' });
    expect(bars?.list).toBe('nyse');
  });

  it.each([
    ['is empty', { rows: [] }],
    ['is null', { rows: null }],
    ['is elsewhere in the body', { table: { rows: [ROW] } }],
  ])('rejects a screener response whose list %s', (_, data) => {
    const response = apiResponse('screener/stocks?exchange=nyse&download=true', envelope(data));
    expect(() => screener.parse(response)).toThrow(
      expect.objectContaining({ kind: 'error-answer', reason: 'no-rows' }),
    );
  });

  it.each([
    ['HARB/B', 'HARB.B'],
    ['HARB^K', 'HARB.PR.K'],
    ['HARB^', 'HARB.PR'],
    ['QUAY/WS', 'QUAY.WS'],
    ['ETXA           ', 'ETXA'],
  ])('reads the screener symbol %s as %s', (sourceSymbol, symbol) => {
    expect(parseRow({ symbol: sourceSymbol }).rows[0]?.entityKey).toBe(symbol);
  });

  it('treats blank and zero screener values as unknown', () => {
    const blank = { country: '', ipoyear: '', sector: '', lastsale: 'NA', marketCap: '0.00' };
    const [row] = parseRow(blank).rows;
    expect(row?.fields).toMatchObject({ country: null, ipoYear: null, sector: null });
    expect(row?.quote).toEqual({ symbol: 'MERD', price: null, marketCap: null });
  });

  it('treats placeholders in any spelling as missing, except as a ticker', () => {
    const marks = { symbol: 'NONE', name: 'n/a', sector: 'n/a', industry: 'none', country: 'NULL' };
    expect(parseRow(marks).rows[0]?.fields).toMatchObject({
      symbol: 'NONE',
      companyName: null,
      sector: null,
      industry: null,
      country: null,
    });
  });

  it.each([
    ['nasdaq', 'Nasdaq'],
    ['amex', 'NYSE American'],
  ])('maps the requested exchange %s to %s', (requested, name) => {
    expect(parseRow({}, requested).rows[0]?.fields).toHaveProperty('exchange', name);
  });

  it('leaves the exchange unknown if it was not requested', () => {
    expect(parseRow({}, 'all').rows[0]?.fields).not.toHaveProperty('exchange');
  });

  it.each([
    [{ symbol: 'N/A' }, 'bad-symbol'],
    [{ lastsale: '1e9' }, 'bad-number'],
    [{ lastsale: '-$5.00' }, 'bad-number'],
    [{ marketCap: '4.5B' }, 'bad-number'],
    [{ ipoyear: '20' }, 'bad-date'],
    [{ sector: 7 }, 'wrong-type'],
  ])('rejects a screener row with %j as %s', (change, reason) => {
    expect(parseRow(change).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('plans three screener requests for the whole market', () => {
    const nothingKnown = {
      now: 0,
      symbols: [],
      ciks: new Map<string, string>(),
      setting: () => undefined,
    };
    const requests = screener.plan?.({ ...nothingKnown, today: localDate('2026-11-20') }) ?? [];
    const exchanges = requests.map((request) => new URL(request.url).searchParams.get('exchange'));
    expect(exchanges).toEqual(['nasdaq', 'nyse', 'amex']);
  });
});
