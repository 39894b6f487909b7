import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { PlanContext } from '../provider.ts';
import { earningsCalendar } from './earnings-calendar.ts';
import { earnings } from './earnings.ts';
import { apiResponse, errorOf } from '../../../test/support/providers/fmp-responses.ts';

const ROW = {
  symbol: 'MERD',
  date: '2026-11-18',
  epsActual: 1.2,
  epsEstimated: 1.15,
  revenueActual: 4_210_000_000,
  revenueEstimated: 4_188_350_120,
  lastUpdated: '2026-11-19',
};

function parseRow(change: object) {
  return earnings.parse(apiResponse('stable/earnings?symbol=MERD', [{ ...ROW, ...change }]));
}

it.each([
  ['api/v3/earning_calendar?from=2026-11-18&to=2026-11-18', earningsCalendar],
  ['api/v3/historical/earning_calendar/MERD?limit=4', earnings],
])('reads results and the session from the older API at %s', (path, feed) => {
  const row = {
    date: '2026-11-18',
    symbol: 'MERD',
    eps: 1.2,
    epsEstimated: 1.15,
    time: 'amc',
    revenue: 421e7,
    revenueEstimated: 4188350120,
    updatedFromDate: '2026-11-19',
    fiscalDateEnding: '2026-11-01',
  };
  const response = apiResponse(path, [row, { ...row, symbol: 'HARB', eps: null, time: '--' }]);
  expect(feed.claims(response)).toBe(true);
  expect(feed.parse(response).completeRange).toBeUndefined();
  expect(feed.parse(response).rows.map(({ fields }) => fields)).toMatchObject([
    { date: '2026-11-18', time: 'time-after-hours', eps: '1.2', revenue: '4210000000' },
    { symbol: 'HARB', time: 'time-not-supplied', eps: null, epsEstimate: '1.15' },
  ]);
});

describe('FMP reports', () => {
  it('keys a report by date and omits session, period, currency and EPS basis', () => {
    expect(parseRow({}).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: 'date:2026-11-18',
        fields: {
          kind: 'calendar',
          symbol: 'MERD',
          date: '2026-11-18',
          time: 'time-not-supplied',
          eps: '1.2',
          epsEstimate: '1.15',
          revenue: '4210000000',
          revenueEstimate: '4188350120',
        },
      },
    ]);
  });

  it.each([
    [{ epsActual: 0 }, { eps: '0' }],
    [
      { epsActual: null, revenueActual: null },
      { eps: null, revenue: null },
    ],
    [
      { epsActual: -99.99, revenueActual: -999_000_000 },
      { eps: null, revenue: null },
    ],
    [{ symbol: 'HARB-B' }, { symbol: 'HARB.B' }],
  ])('reads a report with %j as %j', (change, expected) => {
    expect(parseRow(change).rows[0]?.fields).toMatchObject(expected);
  });

  it.each([
    [
      { date: '2026-11-29', epsActual: 0, revenueActual: 0 },
      { eps: null, revenue: null },
    ],
    [
      { epsEstimated: 0, revenueEstimated: 0 },
      { epsEstimate: null, revenueEstimate: null },
    ],
    [{ epsActual: 0 }, { eps: '0', revenue: '4210000000' }],
  ])(
    'treats a zero that means "not yet" or "unknown" as missing: %j becomes %j',
    (change, expected) => {
      const seenAt = Date.parse('2026-11-19T15:00:00Z');
      const response = apiResponse(
        'stable/earnings?symbol=MERD',
        [{ ...ROW, ...change }],
        200,
        seenAt,
      );
      expect(earnings.parse(response).rows[0]?.fields).toMatchObject(expected);
    },
  );

  it.each([
    [{ symbol: 'FJRD.OL' }, 'foreign-symbol'],
    [{ symbol: 'QUAY.L' }, 'foreign-symbol'],
    [{ symbol: '2468.HK' }, 'foreign-symbol'],
    [{ symbol: 'KELP-DKK.CO' }, 'foreign-symbol'],
    [{ symbol: '' }, 'bad-symbol'],
    [{ date: '' }, 'missing-field'],
    [{ date: '18.11.2026' }, 'bad-date'],
    [{ revenueActual: '4210000000' }, 'bad-number'],
  ])('rejects a report with %j as %s', (change, reason) => {
    const { rows, bad } = parseRow(change);
    expect([rows, bad.map((row) => row.reason)]).toEqual([[], [reason]]);
  });

  it('does not assign a foreign listing to a company', () => {
    expect(parseRow({ symbol: 'QUAY.L' }).bad.map(({ entityKey }) => entityKey)).toEqual([null]);
    expect(parseRow({ date: '' }).bad.map(({ entityKey }) => entityKey)).toEqual(['MERD']);
  });
});

describe('FMP error responses', () => {
  it.each([
    [200, { 'Error Message': 'Invalid API KEY. Please retry.' }, 'error-answer invalid-key'],
    [401, { 'Error Message': 'Invalid API KEY.' }, 'error-answer invalid-key'],
    [403, { 'Error Message': 'Legacy Endpoint : closed' }, 'error-answer legacy-endpoint'],
    [403, { 'Error Message': 'Not available' }, 'error-answer not-in-plan'],
    [402, 'Premium only', 'error-answer not-in-plan'],
    [429, { 'Error Message': 'Limit Reach .' }, 'blocked limit-reached'],
    [200, { 'Error Message': 'Limit Reach .' }, 'blocked limit-reached'],
    [429, '', 'blocked http-429'],
    [200, { 'Error Message': 'No such parameter' }, 'error-answer provider-error'],
    [200, {}, 'error-answer unexpected-shape'],
  ])('reads an error response with HTTP %i and the body %j as %s', (status, body, errorBody) => {
    const response = apiResponse('stable/earnings-calendar?from=2026-11-18', body, status);
    expect(errorOf(earningsCalendar, response)).toBe(errorBody);
  });
});

describe('the FMP request plan', () => {
  const context: PlanContext = {
    now: 0,
    today: localDate('2026-11-20'),
    symbols: ['TIDE'],
    ciks: new Map([['TIDE', '0009900002']]),
    symbolsAwaitingResult: ['MERD', 'HARB.B'],
    setting: () => 'a-key-of-sorts',
  };

  it("requests companies that have no result yet, using the source's symbols", () => {
    expect(earnings.plan?.(context).map(({ url }) => url)).toEqual([
      'https://financialmodelingprep.com/stable/earnings?symbol=MERD',
      'https://financialmodelingprep.com/stable/earnings?symbol=HARB-B',
    ]);
  });

  it('requests one calendar day at a time, and sends the key only in a header', () => {
    const requests = earningsCalendar.plan?.(context) ?? [];
    expect(requests[1]).toEqual({
      url: 'https://financialmodelingprep.com/stable/earnings-calendar?from=2026-11-19&to=2026-11-19',
      headers: { accept: 'application/json', apikey: 'a-key-of-sorts' },
    });
    expect(requests.filter(({ url }) => url.includes('a-key-of-sorts'))).toEqual([]);
    expect(requests).toHaveLength(37);
  });

  it('plans no requests without a key', () => {
    const plan = { ...context, setting: () => undefined };
    expect([earnings.plan?.(plan), earningsCalendar.plan?.(plan)]).toEqual([[], []]);
  });
});
