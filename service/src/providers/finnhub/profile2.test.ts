import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import type { ParseResult } from '../provider.ts';
import { profile2 } from './profile2.ts';

const PROFILE = {
  country: 'US',
  currency: 'USD',
  exchange: 'NASDAQ NMS - GLOBAL MARKET',
  finnhubIndustry: 'Technology',
  ipo: '1994-06-03',
  marketCapitalization: 48_210.551,
  name: 'Meridian Harbor Systems Inc',
  shareOutstanding: 312.475,
  ticker: 'MERD',
};

function parse(body: unknown, symbol = 'MERD'): ParseResult {
  return profile2.parse(
    createSourceResponse({
      url: `https://finnhub.io/api/v1/stock/profile2?symbol=${symbol}`,
      status: 200,
      contentType: 'application/json',
      observedAt: 0,
      text: JSON.stringify(body),
    }),
  );
}

describe('Finnhub profiles', () => {
  it('returns the share count and market value in whole units', () => {
    expect(parse(PROFILE).rows).toEqual([
      {
        dataset: 'profiles',
        entityKey: 'MERD',
        naturalKey: 'profile',
        fields: {
          symbol: 'MERD',
          companyName: 'Meridian Harbor Systems Inc',
          exchange: 'Nasdaq',
          countryCode: 'US',
          ipoYear: 1994,
          sharesOutstanding: '312475000',
        },
        quote: { symbol: 'MERD', marketCap: '48210551000' },
      },
    ]);
  });

  it('reads the country code NA of a Namibian company', () => {
    const [row] = parse({ ...PROFILE, country: 'NA' }).rows;
    expect(row?.fields).toMatchObject({ countryCode: 'NA' });
  });

  it('omits the market value if the currency is not the U.S. dollar', () => {
    expect(parse({ ...PROFILE, currency: 'NOK' }).rows[0]?.quote).toBeUndefined();
  });

  it.each([
    ['NEW YORK STOCK EXCHANGE, INC.', 'NYSE'],
    ['NYSE MKT LLC', 'NYSE American'],
    ['NYSE ARCA', 'NYSE Arca'],
    ['OTC MARKETS', 'OTC'],
    ['OSLO BORS ASA', 'OSLO BORS ASA'],
  ])('maps the exchange %s to %s', (exchange, expected) => {
    expect(parse({ ...PROFILE, exchange }).rows[0]?.fields).toMatchObject({ exchange: expected });
  });

  it.each([
    [{ shareOutstanding: 0 }, { sharesOutstanding: null }],
    [{ ipo: '' }, { ipoYear: null }],
    [{ name: '' }, { companyName: null }],
  ])('reads a profile with %j as %j', (change, expected) => {
    expect(parse({ ...PROFILE, ...change }).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ ticker: '' }, 'bad-symbol'],
    [{ ticker: 'TIDE' }, 'symbol-mismatch'],
    [{ country: 'Norway' }, 'bad-country'],
    [{ shareOutstanding: -1 }, 'bad-number'],
    [{ ipo: '1994' }, 'bad-date'],
  ])('rejects a profile with %j as %s', (change, reason) => {
    expect(parse({ ...PROFILE, ...change }).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('returns no profile for an unknown symbol', () => {
    expect(parse({}, 'NOSUCH')).toEqual({ rows: [], bad: [] });
  });
});
