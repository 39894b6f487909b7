import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { ipoCalendar } from './ipo-calendar.ts';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';

const FILED = {
  dealID: '990106-200006',
  proposedTickerSymbol: 'CLDV',
  companyName: 'CALDER VALE INC.',
  filedDate: '11/9/2026',
  dollarValueOfSharesOffered: '$100,000,000.00',
};
const UPCOMING = {
  dealID: '990106-200006',
  proposedTickerSymbol: 'CLDV',
  companyName: 'Calder Vale, Inc.',
  proposedExchange: 'NASDAQ Global',
  proposedSharePrice: '14.00-16.00',
  sharesOffered: '9,000,000',
  expectedPriceDate: '11/24/2026',
  dollarValueOfSharesOffered: '$165,600,000',
};

function parseMonth(sections: object) {
  return ipoCalendar.parse(apiResponse('ipo/calendar?date=2026-11', envelope(sections)));
}

describe('the Nasdaq IPO calendar', () => {
  it('gives an IPO the same key in every section, regardless of the case of its company name', () => {
    const { rows } = parseMonth({
      filed: { rows: [FILED] },
      upcoming: { upcomingTable: { rows: [UPCOMING] } },
    });
    expect(rows.map(({ entityKey, naturalKey }) => [entityKey, naturalKey])).toEqual([
      ['calder-vale', '990106-200006/filed'],
      ['calder-vale', '990106-200006/expected'],
    ]);
  });

  it('reads the upcoming IPO table, which is nested one level deeper, with its price range', () => {
    const { rows } = parseMonth({ upcoming: { upcomingTable: { rows: [UPCOMING] } } });
    expect(rows[0]?.fields).toEqual({
      dealKey: '990106-200006',
      companyName: 'Calder Vale, Inc.',
      stage: 'expected',
      symbol: 'CLDV',
      exchange: 'NASDAQ Global',
      expectedDate: '2026-11-24',
      shares: '9000000',
      dealSize: '165600000',
      priceLow: '14',
      priceHigh: '16',
    });
  });

  it('treats the price of a priced IPO as final', () => {
    const row = { ...UPCOMING, proposedSharePrice: '15.50', pricedDate: '11/24/2026' };
    const fields = parseMonth({ priced: { rows: [row] } }).rows[0]?.fields;
    expect(fields).toMatchObject({ stage: 'priced', price: '15.5', pricedDate: '2026-11-24' });
    expect(fields).not.toHaveProperty('priceLow');
  });

  it('recognizes a postponed IPO', () => {
    const row = { ...UPCOMING, dealStatus: 'Postponed', expectedPriceDate: '' };
    const { rows } = parseMonth({ upcoming: { upcomingTable: { rows: [row] } } });
    expect(rows[0]?.fields).toMatchObject({ stage: 'postponed', expectedDate: null });
  });

  it.each([
    ['Withdrawn', 'withdrawn'],
    ['PRICED', 'priced'],
    ['Expected', 'expected'],
    ['Filed', 'expected'],
    [null, 'expected'],
  ])('reads the stage of an upcoming IPO from %j as %s', (dealStatus, stage) => {
    const row = { ...UPCOMING, dealStatus };
    const { rows } = parseMonth({ upcoming: { upcomingTable: { rows: [row] } } });
    expect(rows[0]?.fields).toMatchObject({ stage });
  });

  it.each([
    [{ dealID: null }, 'missing-field'],
    [{ companyName: ' ' }, 'missing-field'],
    [{ filedDate: '2026' }, 'bad-date'],
    [{ dealID: 'two words' }, 'bad-deal-key'],
    [{ proposedTickerSymbol: '$$$' }, 'bad-symbol'],
  ])('rejects an IPO with %j as %s', (change, reason) => {
    const { bad } = parseMonth({ filed: { rows: [{ ...FILED, ...change }] } });
    expect(bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('keeps an IPO whose ticker, price and date are to be announced', () => {
    const row = {
      ...UPCOMING,
      proposedTickerSymbol: 'TBA',
      proposedSharePrice: 'TBA',
      expectedPriceDate: 'TBD',
    };
    const { rows, bad } = parseMonth({ upcoming: { upcomingTable: { rows: [row] } } });
    expect(bad).toEqual([]);
    expect(rows[0]?.fields).toMatchObject({
      symbol: null,
      expectedDate: null,
      priceLow: null,
      priceHigh: null,
    });
  });

  it('returns no IPOs for a month whose tables are null', () => {
    const month = { priced: null, upcoming: { upcomingTable: { rows: null } }, filed: null };
    expect(parseMonth(month)).toEqual({ rows: [], bad: [] });
  });

  it.each([
    ['2026-11-20', ['2026-11', '2026-12']],
    ['2026-12-03', ['2026-12', '2027-01', '2026-11']],
  ])('on %s, plans IPO requests for the months %j', (today, months) => {
    const context = {
      now: 0,
      symbols: [],
      ciks: new Map<string, string>(),
      setting: () => undefined,
    };
    const requests = ipoCalendar.plan?.({ ...context, today: localDate(today) }) ?? [];
    expect(requests.map(({ url }) => url.slice(-7))).toEqual(months);
  });
});
