import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { createSourceResponse } from '../source-response.ts';
import {
  type Feed,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { daily } from './daily.ts';
import { earningsCalendar } from './earnings-calendar.ts';
import { earnings } from './earnings.ts';
import { overview } from './overview.ts';

function responseOf(query: string, body: unknown, observedAt = 0): SourceResponse {
  return createSourceResponse({
    url: `https://www.alphavantage.co/query?${query}`,
    status: 200,
    contentType: 'application/json',
    observedAt,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function errorOf(feed: Feed, response: SourceResponse): string {
  try {
    feed.parse(response);
    return 'read';
  } catch (error) {
    if (error instanceof SourceResponseError) return `${error.kind} ${error.reason}`;
    throw error;
  }
}

describe('Alpha Vantage error responses with HTTP 200', () => {
  it.each([
    ['Note', 'Our standard API call frequency is 5 calls per minute.', 'blocked limit-reached'],
    ['Information', 'Your key; our rate limit is 25 requests per day.', 'blocked limit-reached'],
    ['Information', 'Burst pattern detected. Please spread out requests.', 'blocked limit-reached'],
    ['Information', 'Consider spreading out your free API requests.', 'blocked limit-reached'],
    ['Information', 'This is a premium endpoint. 25 requests per day', 'error-answer not-in-plan'],
    ['Error Message', 'the parameter apikey is invalid or missing.', 'error-answer invalid-key'],
    ['Error Message', 'Invalid API call.', 'error-answer provider-error'],
  ])(
    'reads the error property %s: %s as %s, for tables and objects alike',
    (key, message, expected) => {
      const body = { [key]: message };
      const feeds: readonly (readonly [Feed, string])[] = [
        [earningsCalendar, 'function=EARNINGS_CALENDAR'],
        [earnings, 'function=EARNINGS&symbol=MERD'],
        [overview, 'function=OVERVIEW&symbol=MERD'],
        [daily, 'function=TIME_SERIES_DAILY&symbol=MERD'],
      ];
      expect(feeds.map(([feed, query]) => errorOf(feed, responseOf(query, body)))).toEqual(
        feeds.map(() => expected),
      );
    },
  );

  it('rejects an earnings calendar with an unexpected header', () => {
    const table = responseOf('function=EARNINGS_CALENDAR', 'symbol,name\r\nI,n\r\n');
    expect(errorOf(earningsCalendar, table)).toBe('error-answer unexpected-header');
  });

  it('rejects an earnings calendar for three months that has no rows', () => {
    const header = 'symbol,name,reportDate,fiscalDateEnding,estimate,currency\r\n';
    const table = responseOf('function=EARNINGS_CALENDAR', header);
    expect(errorOf(earningsCalendar, table)).toBe('error-answer no-rows');
    const forOneSymbol = responseOf('function=EARNINGS_CALENDAR&symbol=MERD', header);
    expect(earningsCalendar.parse(forOneSymbol)).toEqual({ rows: [], bad: [] });
  });
});

describe('the Alpha Vantage earnings calendar', () => {
  function readLine(line: string, header = 'symbol,name,reportDate,fiscalDateEnding,estimate') {
    const text = `${header},currency\n${line}\n`;
    return earningsCalendar.parse(responseOf('function=EARNINGS_CALENDAR', text));
  }

  it('keys a calendar row by fiscal quarter and reads columns by name', () => {
    const header = 'name,symbol,timeOfTheDay,reportDate,estimate,fiscalDateEnding';
    const line = 'Meridian,MERD,pre-market,2027-01-28,1.15,2026-12-31,USD';
    expect(readLine(line, header).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: '2026-12',
        fields: {
          kind: 'calendar',
          symbol: 'MERD',
          name: 'Meridian',
          date: '2027-01-28',
          time: 'time-pre-market',
          dateStatus: 'projected',
          fiscalPeriodEnd: '2026-12-31',
          fiscalPeriodPrecision: 'month',
          epsEstimate: '1.15',
        },
      },
    ]);
  });

  it.each([
    ['a name that repeats the ticker', 'TIDE,TIDE,2027-01-28,2026-12-31,1,USD', 'name'],
    ['an estimate in crowns', 'FJRD,Fjord,2027-01-28,2026-12-31,6.1,NOK', 'epsEstimate'],
  ])('omits %s from a calendar row', (_what, line, key) => {
    const [row] = readLine(line).rows;
    expect(Object.keys(row?.fields ?? {})).not.toContain(key);
    expect(row?.fields).toMatchObject({ date: '2027-01-28' });
  });

  it.each([
    ['QUAY-PA,QUAY,2027-01-28,2026-12-31,,USD', 'not-a-share'],
    ['QUAY-UN,QUAY,2027-01-28,2026-12-31,,USD', 'not-a-share'],
    ['FJRD.LON,Fjord,2027-01-28,2026-12-31,,GBP', 'bad-symbol'],
    ['KELP_OLD,Kelp,2027-01-28,2026-12-31,,USD', 'bad-symbol'],
  ])('rejects the calendar row %s as %s', (line, reason) => {
    expect(readLine(line).bad.map((row) => row.reason)).toEqual([reason]);
  });
});

describe('Alpha Vantage quarterly results', () => {
  const quarter = {
    fiscalDateEnding: '2026-09-30',
    reportedDate: '2026-10-29',
    reportedEPS: '1.21',
    estimatedEPS: 'None',
    surprise: '0',
  };

  function readQuarter(change: object, observedAt?: number) {
    const body = { symbol: 'MERD', quarterlyEarnings: [{ ...quarter, ...change }] };
    return earnings.parse(responseOf('function=EARNINGS&symbol=MERD', body, observedAt));
  }

  it('marks quarterly results as adjusted and confirmed, and treats a consensus of `None` as missing rather than zero', () => {
    expect(readQuarter({ reportTime: 'post-market' }).rows[0]?.fields).toMatchObject({
      date: '2026-10-29',
      time: 'time-after-hours',
      dateStatus: 'confirmed',
      eps: '1.21',
      epsEstimate: null,
    });
  });

  it.each([
    [{ reportedDate: '2026-09-30' }, 'date-before-period-end'],
    [{ reportedEPS: 'None' }, 'no-result-yet'],
    [{ reportTime: 'noon' }, 'bad-marker'],
    [{ reportedEPS: '1,2' }, 'bad-number'],
  ])('rejects the quarterly result %j as %s', (change, reason) => {
    expect(readQuarter(change).bad.map((row) => row.reason)).toEqual([reason]);
  });

  it('ignores a zero result before the report date and keeps a zero result afterwards', () => {
    const zero = { reportedEPS: '0', reportTime: 'post-market' };
    const ahead = readQuarter(zero, Date.parse('2026-10-28T15:00:00Z'));
    expect([ahead.rows, ahead.bad.map((row) => row.reason)]).toEqual([[], ['no-result-yet']]);
    const past = readQuarter(zero, Date.parse('2026-10-30T15:00:00Z'));
    expect(past.rows[0]?.fields).toMatchObject({ eps: '0' });
  });
});

it('converts an all-capitals profile to title case', () => {
  const body = { Symbol: 'MERD', Sector: 'REAL ESTATE & CONSTRUCTION', Country: 'USA', CIK: '320' };
  const { rows } = overview.parse(responseOf('function=OVERVIEW&symbol=MERD', body));
  expect(rows[0]?.fields).toEqual({
    symbol: 'MERD',
    sector: 'Real Estate & Construction',
    country: 'United States',
    cik: '0000000320',
  });
});

it('reads the profile for a ticker that looks like a placeholder', () => {
  const body = { Symbol: 'NA', Name: 'Nacre Labs' };
  const { rows } = overview.parse(responseOf('function=OVERVIEW&symbol=NA', body));
  expect(rows[0]?.fields).toEqual({ symbol: 'NA', companyName: 'Nacre Labs' });
});

it('plans one calendar request and a few company requests, and none without a key', () => {
  const context: PlanContext = {
    now: 0,
    today: localDate('2026-11-20'),
    symbols: [],
    ciks: new Map(),
    symbolsAwaitingResult: Array.from(
      { length: 60 },
      (_, i) => `A${String.fromCharCode(65 + (i % 26))}${i}`,
    ),
    setting: () => 'some-key-of-ours',
  };
  expect(earningsCalendar.plan?.(context)).toHaveLength(1);
  expect(earnings.plan?.(context)).toHaveLength(20);
  const withoutSymbol = { ...context, setting: () => undefined };
  expect([earningsCalendar.plan?.(withoutSymbol), earnings.plan?.(withoutSymbol)]).toEqual([
    [],
    [],
  ]);
});
