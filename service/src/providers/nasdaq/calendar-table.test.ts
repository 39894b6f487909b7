import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { calendarTable } from './calendar-table.ts';

function table(text: string, contentType = 'text/csv') {
  const url = 'https://api.nasdaq.com/api/calendar/earnings?date=… (one request per day)';
  return createSourceResponse({ url, status: 200, contentType, observedAt: 0, text });
}

describe('Nasdaq calendar tables', () => {
  it('reads a calendar table by column name in any order and omits absent columns', () => {
    const parsed = calendarTable.parse(
      table('eps_forecast,report_date,ticker,time\n($0.12),2026-11-24,HARB.B,time-pre-market\n'),
    );
    expect(parsed.rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'HARB.B',
        naturalKey: 'date:2026-11-24',
        fields: {
          kind: 'calendar',
          symbol: 'HARB.B',
          date: '2026-11-24',
          time: 'time-pre-market',
          epsEstimate: '-0.12',
        },
      },
    ]);
  });

  it('rejects short lines and lines without a date, and reads the other lines', () => {
    const text = 'ticker,report_date\nMERD\nQUAY,\nLARK,2026-11-24\n';
    const { rows, bad } = calendarTable.parse(table(text));
    expect(rows.map((row) => row.entityKey)).toEqual(['LARK']);
    expect(bad.map((row) => row.reason)).toEqual(['not-an-object', 'missing-field']);
  });

  it.each([
    ['ticker,report_date\n', 'text/csv', true],
    ['ticker,report_date\n', 'application/json', false],
    ['recorded_at_utc,lastsale\n', 'text/csv', false],
  ])(
    'for the header %j and the type %s, decides whether to claim the file as a calendar table: %s',
    (text, contentType, claimed) => {
      expect(calendarTable.claims(table(text, contentType))).toBe(claimed);
    },
  );
});
