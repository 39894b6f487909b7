import { expect, it } from 'vitest';
import { iposCalendar } from './ipos-calendar.ts';
import { apiResponse } from '../../../test/support/providers/fmp-responses.ts';

const ROW = {
  symbol: 'CLDV',
  date: '2026-11-24',
  company: 'Calder Vale Inc.',
  exchange: 'NASDAQ',
  actions: 'Expected',
  shares: 9_000_000,
  priceRange: '14.00 - 16.00',
  marketCap: 144_000_000,
};

function parseRow(change: object) {
  return iposCalendar.parse(apiResponse('stable/ipos-calendar', [{ ...ROW, ...change }]));
}

it('keys an IPO by company and dates it by its latest stage', () => {
  expect(parseRow({}).rows).toEqual([
    {
      dataset: 'ipos',
      entityKey: 'calder-vale',
      naturalKey: 'expected',
      fields: {
        dealKey: null,
        companyName: 'Calder Vale Inc.',
        stage: 'expected',
        symbol: 'CLDV',
        exchange: 'NASDAQ',
        expectedDate: '2026-11-24',
        shares: '9000000',
        priceLow: '14',
        priceHigh: '16',
      },
    },
  ]);
});

it.each([
  [
    { actions: 'Priced', priceRange: 15 },
    { stage: 'priced', pricedDate: '2026-11-24', price: '15' },
  ],
  [
    { actions: 'Filed', priceRange: null, shares: null, symbol: '' },
    { filedDate: '2026-11-24', priceLow: null, shares: null, symbol: null },
  ],
  [
    { symbol: 'TBA', priceRange: 'TBA' },
    { symbol: null, priceLow: null },
  ],
  [{ symbol: 'NA' }, { symbol: 'NA' }],
])('reads an IPO row with %j as %j', (change, expected) => {
  expect(parseRow(change).rows[0]?.fields).toMatchObject(expected);
});

it.each([
  [{ actions: 'Rumoured' }, 'unknown-word'],
  [{ symbol: 'FJRD.OL' }, 'foreign-symbol'],
  [{ company: ' ' }, 'missing-field'],
  [{ priceRange: '16.00-14.00' }, 'bad-range'],
])('rejects an IPO row with %j as %s', (change, reason) => {
  expect(parseRow(change).bad.map((row) => row.reason)).toEqual([reason]);
});
