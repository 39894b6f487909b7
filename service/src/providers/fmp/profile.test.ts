import { describe, expect, it } from 'vitest';
import { profile } from './profile.ts';
import { apiResponse } from '../../../test/support/providers/fmp-responses.ts';

const PROFILE = {
  symbol: 'MERD',
  price: 154.29,
  marketCap: 48_210_551_000,
  companyName: 'Meridian Harbor Systems, Inc.',
  currency: 'USD',
  cik: '0009900001',
  exchangeFullName: 'NASDAQ Global Select',
  exchange: 'NASDAQ',
  industry: 'Software - Application',
  sector: 'Technology',
  country: 'US',
  ipoDate: '1994-06-03',
};

const FIELDS = {
  symbol: 'MERD',
  cik: '0009900001',
  companyName: 'Meridian Harbor Systems, Inc.',
  exchange: 'NASDAQ',
  sector: 'Technology',
  industry: 'Software - Application',
  countryCode: 'US',
  ipoYear: 1994,
};

function parseRow(change: object, path = 'stable/profile?symbol=MERD') {
  return profile.parse(apiResponse(path, [{ ...PROFILE, ...change }]));
}

describe('FMP profiles', () => {
  it('returns the static fields and the market value', () => {
    expect(parseRow({}).rows).toEqual([
      {
        dataset: 'profiles',
        entityKey: 'MERD',
        naturalKey: 'profile',
        fields: FIELDS,
        quote: { symbol: 'MERD', marketCap: '48210551000' },
      },
    ]);
  });

  it('reads the country code NA of a Namibian company', () => {
    const [row] = parseRow({ country: 'NA' }).rows;
    expect(row?.fields).toMatchObject({ countryCode: 'NA' });
  });

  it('returns the same profile from the older API', () => {
    const { marketCap, exchangeFullName, ...rest } = PROFILE;
    const olderApiRow = {
      ...rest,
      mktCap: marketCap,
      exchange: exchangeFullName,
      exchangeShortName: 'NASDAQ',
    };
    const response = apiResponse('api/v3/profile/MERD', [olderApiRow]);
    expect(profile.parse(response)).toEqual(parseRow({}));
  });

  it.each([[{ currency: 'EUR' }], [{ currency: null }], [{ marketCap: 0 }], [{ marketCap: null }]])(
    'omits the market value of a profile with %j',
    (change) => {
      expect(parseRow(change).rows.map(({ quote }) => quote)).toEqual([undefined]);
    },
  );

  it.each([
    [{ ipoDate: '' }, { ipoYear: null }],
    [{ cik: null }, { cik: null }],
    [{ sector: '' }, { sector: null }],
  ])('reads a profile with %j as %j', (change, expected) => {
    expect(parseRow(change).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ symbol: 'FJRD.OL' }, 'foreign-symbol'],
    [{ cik: '12' }, 'bad-cik'],
    [{ country: 'USA' }, 'bad-country'],
    [{ marketCap: -5 }, 'bad-number'],
  ])('rejects a profile with %j as %s', (change, reason) => {
    expect(parseRow(change).bad.map((row) => row.reason)).toEqual([reason]);
  });
});
