import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { calendarDividends } from './calendar-dividends.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';

const ROW = {
  companyName: 'Meridian Tools, Inc. ',
  symbol: 'MERD',
  dividend_Ex_Date: '11/24/2026',
  payment_Date: '12/10/2026',
  record_Date: '8/5/2026',
  dividend_Rate: 0.087,
  indicated_Annual_Dividend: 1.044,
  announcement_Date: 'N/A',
};

function parseRows(rows: unknown) {
  const body = envelope({ calendar: { rows } });
  return calendarDividends.parse(apiResponse('calendar/dividends?date=2026-11-24', body));
}

describe('the Nasdaq dividend calendar', () => {
  it('reads dividend dates, exact amounts, and null for unknown values', () => {
    expect(parseRows([ROW]).rows).toEqual([
      {
        dataset: 'dividends',
        entityKey: 'MERD',
        naturalKey: 'ex:2026-11-24',
        fields: {
          symbol: 'MERD',
          name: 'Meridian Tools, Inc.',
          exDate: '2026-11-24',
          recordDate: '2026-08-05',
          paymentDate: '2026-12-10',
          declarationDate: null,
          amount: '0.087',
          indicatedAnnualAmount: '1.044',
        },
      },
    ]);
  });

  it.each([
    [{ dividend_Ex_Date: 'N/A' }, { exDate: '2026-11-24' }],
    [{ dividend_Rate: 0 }, { amount: null }],
    [{ dividend_Rate: '$0.25' }, { amount: '0.25' }],
    [{ indicated_Annual_Dividend: 'N/A' }, { indicatedAnnualAmount: null }],
  ])('reads a dividend row with %j as %j', (change, expected) => {
    expect(parseRows([{ ...ROW, ...change }]).rows[0]?.fields).toMatchObject(expected);
  });

  it('keeps a regular and a special dividend on the same day separate', () => {
    const special = { ...ROW, dividend_Rate: 15 };
    const keys = parseRows([special, ROW]).rows.map(({ naturalKey }) => naturalKey);
    expect(keys.toSorted()).toEqual(['ex:2026-11-24', 'ex:2026-11-24#2']);
  });

  it('rejects the second of two dividend rows that differ in more than the amount', () => {
    const parsed = rejectConflicts(parseRows([ROW, { ...ROW, payment_Date: '12/11/2026' }]));
    expect(parsed.bad.map(({ reason }) => reason)).toEqual(['conflicting-duplicate']);
  });

  it('requests dividends for every weekday from today to 90 days ahead, nearest first', () => {
    const context = {
      now: 0,
      today: localDate('2026-11-20'),
      symbols: [],
      ciks: new Map<string, string>(),
      setting: () => undefined,
    };
    const urls = (calendarDividends.plan?.(context) ?? []).map(({ url }) => url.slice(-10));
    expect(urls.slice(0, 3)).toEqual(['2026-11-20', '2026-11-23', '2026-11-24']);
    expect(urls.at(-1)).toBe('2027-02-18');
    expect(urls).toHaveLength(65);
  });
});
