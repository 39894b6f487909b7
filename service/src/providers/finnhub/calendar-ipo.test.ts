import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { calendarIpo } from './calendar-ipo.ts';

const ROW = {
  date: '2026-11-24',
  exchange: 'NASDAQ Global',
  name: 'CALDER VALE INC.',
  numberOfShares: 9000000,
  price: '14.00-16.00',
  status: 'expected',
  symbol: 'CLDV',
  totalSharesValue: 165600000,
};

function parseRows(rows: unknown) {
  const response = createSourceResponse({
    url: 'https://finnhub.io/api/v1/calendar/ipo?from=2026-11-01&to=2026-11-30',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    observedAt: 0,
    text: JSON.stringify({ ipoCalendar: rows }),
  });
  return calendarIpo.parse(response);
}

describe('the Finnhub IPO calendar', () => {
  it('keys an IPO by company and dates it by its status', () => {
    expect(parseRows([ROW]).rows).toEqual([
      {
        dataset: 'ipos',
        entityKey: 'calder-vale',
        naturalKey: 'expected',
        fields: {
          dealKey: null,
          companyName: 'CALDER VALE INC.',
          stage: 'expected',
          symbol: 'CLDV',
          exchange: 'NASDAQ Global',
          expectedDate: '2026-11-24',
          shares: '9000000',
          dealSize: '165600000',
          priceLow: '14',
          priceHigh: '16',
        },
      },
    ]);
  });

  it.each([
    [
      { status: 'priced', price: '15.00' },
      { pricedDate: '2026-11-24', price: '15' },
    ],
    [
      { status: 'filed', price: null },
      { filedDate: '2026-11-24', priceLow: null },
    ],
    [
      { status: 'withdrawn', symbol: '' },
      { withdrawnDate: '2026-11-24', symbol: null },
    ],
    [{ totalSharesValue: 0 }, { dealSize: null }],
    [
      { symbol: 'TBA', price: 'TBA' },
      { symbol: null, priceLow: null },
    ],
    [{ symbol: 'NA' }, { symbol: 'NA' }],
  ])('reads an IPO row with %j as %j', (change, expected) => {
    expect(parseRows([{ ...ROW, ...change }]).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [{ status: 'rumoured' }, 'unknown-word'],
    [{ name: ' ' }, 'missing-field'],
    [{ date: null }, 'missing-field'],
    [{ price: '16.00-14.00' }, 'bad-range'],
  ])('rejects an IPO row with %j as %s', (change, reason) => {
    expect(parseRows([{ ...ROW, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
  });
});
