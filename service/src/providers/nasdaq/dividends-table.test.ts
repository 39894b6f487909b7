import { expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { calendarDividends } from './calendar-dividends.ts';
import { dividendsTable } from './dividends-table.ts';

function table(text: string, contentType = 'text/csv') {
  const url = 'https://api.nasdaq.com/api/calendar/dividends?date=… (one request per day)';
  return createSourceResponse({ url, status: 200, contentType, observedAt: 0, text });
}

it('reads a table of dividends by column name, with either form of dates and amounts', () => {
  const fields = {
    symbol: 'HARB',
    name: 'Harbor, Inc.',
    exDate: '2026-11-24',
    recordDate: '2026-11-24',
    paymentDate: '2026-12-10',
    declarationDate: null,
    amount: '0.25',
    indicatedAnnualAmount: '1',
  };
  for (const text of [
    'company,ticker,ex_date,record_date,pay_date,dividend_rate,annual_dividend\n' +
      '"Harbor, Inc.",HARB,2026-11-24,2026-11-24,2026-12-10,0.25,1\n',
    'symbol,companyName,dividend_Ex_Date,payment_Date,record_Date,dividend_Rate,' +
      'indicated_Annual_Dividend,yield\nHARB,"Harbor, Inc.",11/24/2026,12/10/2026,11/24/2026,' +
      '$0.25,$1.00,3\n',
  ]) {
    const { rows, bad } = dividendsTable.parse(table(text));
    expect(bad).toEqual([]);
    expect(rows).toMatchObject([{ dataset: 'dividends', entityKey: 'HARB', fields }]);
  }
});

it('rejects short lines and lines without an ex-date, and reads the other lines', () => {
  const text = 'ticker,ex_date,amount\nMERD\nQUAY,,1\nLARK,2026-11-24,0.5\n';
  const { rows, bad } = dividendsTable.parse(table(text));
  expect(rows.map((row) => row.entityKey)).toEqual(['LARK']);
  expect(bad.map((row) => row.reason)).toEqual(['not-an-object', 'missing-field']);
});

it('leaves the JSON calendar to its own feed', () => {
  const csv = table('ticker,ex_date\n');
  const json = table('{}', 'application/json');
  expect([dividendsTable.claims(csv), dividendsTable.claims(json)]).toEqual([true, false]);
  expect([calendarDividends.claims(csv), calendarDividends.claims(json)]).toEqual([false, true]);
});
