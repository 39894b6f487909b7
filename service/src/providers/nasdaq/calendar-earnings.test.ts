import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { PlanContext } from '../provider.ts';
import { calendarEarnings } from './calendar-earnings.ts';
import {
  apiResponse,
  envelope,
  errorOf,
} from '../../../test/support/providers/nasdaq-responses.ts';

const PATH = 'calendar/earnings?date=2026-11-24';
const AHEAD = {
  symbol: 'MERD',
  name: 'Meridian Tools, Inc. ',
  time: 'time-after-hours',
  marketCap: '$4,076,153,012',
  fiscalQuarterEnding: 'Oct/2026',
  epsForecast: '$1.25',
  noOfEsts: '7',
  lastYearRptDt: '5/09/2025',
  lastYearEPS: '($0.78)',
};
const { lastYearRptDt: _date, lastYearEPS: _eps, ...SHARED } = AHEAD;
const PAST = { ...SHARED, eps: '$1.30', surprise: '4' };

function parseRows(rows: unknown, path = PATH) {
  return calendarEarnings.parse(apiResponse(path, envelope({ asOf: 'Tue, Nov 24, 2026', rows })));
}

function fieldsOf(row: object) {
  return parseRows([row]).rows[0]?.fields;
}

const WHOLE_DAY = { dataset: 'earnings', from: '2026-11-24', to: '2026-11-24' };

describe('Nasdaq calendar rows for a future date', () => {
  it('reads the prior-year figures and no result from a row for a future date', () => {
    expect(parseRows([AHEAD])).toEqual({
      rows: [
        {
          dataset: 'earnings',
          entityKey: 'MERD',
          naturalKey: '2026-10',
          fields: {
            kind: 'calendar',
            symbol: 'MERD',
            name: 'Meridian Tools, Inc.',
            date: '2026-11-24',
            time: 'time-after-hours',
            fiscalPeriodEnd: '2026-10-31',
            fiscalPeriodPrecision: 'month',
            epsEstimate: '1.25',
            estimateCount: 7,
            epsYearAgo: '-0.78',
            lastYearReportDate: '2025-05-09',
          },
          quote: { symbol: 'MERD', marketCap: '4076153012' },
        },
      ],
      bad: [],
      completeRange: WHOLE_DAY,
    });
  });
});

describe('Nasdaq calendar rows for a past date', () => {
  it('reads the result and no prior-year figures from a row for a past date', () => {
    const fields = fieldsOf(PAST);
    expect(fields).toMatchObject({ eps: '1.3', epsEstimate: '1.25' });
    expect(fields).not.toHaveProperty('epsYearAgo');
    expect(fields).not.toHaveProperty('lastYearReportDate');
  });

  it('distinguishes a zero result from a missing one', () => {
    expect(fieldsOf({ ...PAST, eps: '$0.00' })).toHaveProperty('eps', '0');
    expect(fieldsOf({ ...PAST, eps: 'N/A' })).toHaveProperty('eps', null);
  });
});

describe('Nasdaq calendar rows', () => {
  it.each([
    ['epsForecast', '', { epsEstimate: null }],
    ['epsForecast', 'n/a', { epsEstimate: null }],
    ['epsForecast', '($0.12)', { epsEstimate: '-0.12' }],
    ['lastYearEPS', '($99.99)', { epsYearAgo: null }],
    ['lastYearEPS', '$3', { epsYearAgo: '3' }],
    ['noOfEsts', 'N/A', { estimateCount: null }],
    ['name', ' ', { name: null }],
    ['name', 'n/a', { name: null }],
    ['symbol', 'NA', { symbol: 'NA' }],
    ['name', 'A &amp;amp; B&nbsp;Co', { name: 'A & B Co' }],
    ['time', 'time-pre-market', { time: 'time-pre-market' }],
    ['time', 'time-not-supplied', { time: 'time-not-supplied' }],
    ['time', null, { time: 'time-not-supplied' }],
    ['symbol', 'HARB/B ', { symbol: 'HARB.B' }],
    ['lastYearRptDt', 'N/A', { lastYearReportDate: null }],
    ['fiscalQuarterEnding', 'Feb/2024', { fiscalPeriodEnd: '2024-02-29' }],
    ['fiscalQuarterEnding', 'N/A', { fiscalPeriodEnd: null }],
  ])('reads the column %s with the value %j as %j', (key, value, expected) => {
    expect(fieldsOf({ ...AHEAD, [key]: value })).toMatchObject(expected);
  });

  it('keys a report by date, without a fiscal quarter', () => {
    const [row] = parseRows([{ ...AHEAD, fiscalQuarterEnding: '' }]).rows;
    expect(row?.naturalKey).toBe('date:2026-11-24');
    expect(row?.fields).not.toHaveProperty('fiscalPeriodPrecision');
  });

  it('keeps the key of a report when its date changes', () => {
    const movedDate = calendarEarnings.parse(
      apiResponse('calendar/earnings?date=2026-12-01', envelope({ rows: [AHEAD] })),
    );
    expect(movedDate.rows[0]?.naturalKey).toBe(parseRows([AHEAD]).rows[0]?.naturalKey);
    expect(movedDate.rows[0]?.fields).toHaveProperty('date', '2026-12-01');
  });

  it.each(['', 'N/A', '$0'])(
    'omits the market capitalization if the source writes %j',
    (marketCap) => {
      expect(parseRows([{ ...AHEAD, marketCap }]).rows[0]).not.toHaveProperty('quote');
    },
  );
});

describe('invalid Nasdaq calendar values', () => {
  const invalidValues = [7, true, {}, [], 'x\0y', '\ud800', '?', '1e999', '9'.repeat(600)];
  const strictKeys = Object.keys(AHEAD).filter((key) => key !== 'name');
  const cases = strictKeys.flatMap((key) => invalidValues.map((value) => [key, value] as const));

  it.each(cases)('rejects only the row whose column %s is invalid (%j)', (key, value) => {
    const validRow = { ...AHEAD, symbol: 'QUAY' };
    const badRow = { ...AHEAD, [key]: value };
    const parsed = parseRows([validRow, badRow]);
    expect(parsed.rows.map((row) => row.entityKey)).toEqual(['QUAY']);
    expect(parsed.bad).toHaveLength(1);
  });

  it.each([
    [{ symbol: '' }, 'bad-symbol'],
    [{ time: 'bmo' }, 'bad-marker'],
    [{ epsForecast: '1.25 USD' }, 'bad-number'],
    [{ marketCap: '-$5' }, 'bad-number'],
    [{ lastYearRptDt: '2/30/2025' }, 'bad-date'],
    [{ fiscalQuarterEnding: 'Q3' }, 'bad-date'],
    [{ noOfEsts: 7 }, 'wrong-type'],
  ])('rejects a calendar row with %j as %s', (change, reason) => {
    expect(parseRows([{ ...AHEAD, ...change }]).bad.map((row) => row.reason)).toEqual([reason]);
  });
});

describe('Nasdaq calendar responses', () => {
  it.each([[null], [[]]])('reads a response whose rows are %j as an empty day', (rows) => {
    expect(parseRows(rows)).toEqual({ rows: [], bad: [], completeRange: WHOLE_DAY });
  });

  it('does not treat a response without a list of rows as complete', () => {
    expect(parseRows(undefined)).toEqual({ rows: [], bad: [] });
  });

  it('takes the date of a response from asOf if the URL has none', () => {
    const [row] = parseRows([AHEAD], 'calendar/earnings').rows;
    expect(row?.fields).toHaveProperty('date', '2026-11-24');
  });

  it.each([
    ['calendar/earnings?date=2026-11-25', { asOf: 'Tue, Nov 24, 2026', rows: [] }, 'date-mismatch'],
    ['calendar/earnings', { asOf: null, rows: [] }, 'no-date'],
    ['calendar/earnings?date=2026-13-01', { rows: [] }, 'no-date'],
    [PATH, { rows: {} }, 'unexpected-shape'],
    [PATH, { rows: 'none' }, 'unexpected-shape'],
    [PATH, null, 'no-data'],
  ])('rejects the response to %s with the data %j: %s', (path, data, reason) => {
    const response = apiResponse(path, envelope(data));
    expect(errorOf(calendarEarnings, response)).toBe(`error-answer ${reason}`);
  });

  it('accepts a bare list whose rows have dates', () => {
    const rows = [{ ...AHEAD, date: '2026-11-25' }, AHEAD];
    const parsed = calendarEarnings.parse(apiResponse('calendar/earnings', rows));
    expect(parsed.rows.map((row) => row.fields)).toMatchObject([{ date: '2026-11-25' }]);
    expect(parsed.bad.map((row) => row.reason)).toEqual(['missing-field']);
  });
});

describe('the Nasdaq earnings request plan', () => {
  const nothingKnown = {
    now: 0,
    symbols: [],
    ciks: new Map<string, string>(),
    setting: () => undefined,
  };

  function requestedDates(today: string): string[] {
    const context: PlanContext = { ...nothingKnown, today: localDate(today) };
    const requests = calendarEarnings.plan?.(context) ?? [];
    return requests.map((request) => new URL(request.url).searchParams.get('date') ?? '');
  }

  it('requests weekdays from five days back to 55 days ahead, latest results first', () => {
    const dates = requestedDates('2026-11-20');
    expect(dates.slice(0, 7)).toEqual([
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      '2026-11-16',
      '2026-11-23',
      '2026-11-24',
    ]);
    expect(dates.at(-1)).toBe('2027-01-14');
    expect(dates).toHaveLength(44);
  });

  it('skips a weekend day even if it is today', () => {
    expect(requestedDates('2026-11-21')[0]).toBe('2026-11-20');
  });
});
