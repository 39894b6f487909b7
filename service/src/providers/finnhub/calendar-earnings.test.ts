import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import type { PlanContext, SourceResponse } from '../provider.ts';
import { calendarEarnings } from './calendar-earnings.ts';

/** 22:30 in New York on 2026-11-19, the previous day. */
const LATE_EVENING = '2026-11-20T03:30:00Z';

const ROW = {
  date: '2026-11-18',
  epsActual: 1.2,
  epsEstimate: 1.1534,
  hour: 'bmo',
  quarter: 1,
  revenueActual: 4_210_000_000,
  revenueEstimate: 4_188_350_120,
  symbol: 'MERD',
  year: 2027,
};

function responseOf(body: unknown, observedAt = LATE_EVENING): SourceResponse {
  return createSourceResponse({
    url: 'https://finnhub.io/api/v1/calendar/earnings?from=2026-11-18&to=2026-11-18',
    status: 200,
    contentType: 'application/json',
    observedAt: parseInstant(observedAt) ?? 0,
    text: JSON.stringify(body),
  });
}

function read(change: object, observedAt?: string): object | undefined {
  return calendarEarnings.parse(responseOf([{ ...ROW, ...change }], observedAt)).rows[0]?.fields;
}

it.each([
  [LATE_EVENING, { dataset: 'earnings', from: '2026-11-18', to: '2026-11-18' }],
  ['2027-02-01T12:00:00Z', undefined],
])(
  'limits the complete range of a response observed at %s to dates for which the free plan returns rows',
  (at, completeRange) => {
    expect(calendarEarnings.parse(responseOf({ earningsCalendar: [] }, at)).completeRange).toEqual(
      completeRange,
    );
  },
);

describe('Finnhub calendar rows', () => {
  it('keys a report by fiscal quarter and reads its date, session and figures', () => {
    expect(calendarEarnings.parse(responseOf({ earningsCalendar: [ROW] })).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: '2027Q1',
        fields: {
          kind: 'calendar',
          symbol: 'MERD',
          date: '2026-11-18',
          time: 'time-pre-market',
          fiscalYear: 2027,
          fiscalQuarter: 1,
          eps: '1.2',
          epsEstimate: '1.1534',
          revenue: '4210000000',
          revenueEstimate: '4188350120',
        },
      },
    ]);
  });

  it('keeps the key of a report when its date changes', () => {
    const changed = responseOf([{ ...ROW, date: '2026-11-25' }]);
    expect(calendarEarnings.parse(changed).rows[0]?.naturalKey).toBe('2027Q1');
  });

  it.each([
    [{ year: 0, quarter: 0 }, 'date:2026-11-18'],
    [{ year: null }, 'date:2026-11-18'],
    [{ quarter: undefined }, 'date:2026-11-18'],
  ])('keys a report without a fiscal quarter (%j) by date', (change, naturalKey) => {
    const { rows } = calendarEarnings.parse(responseOf([{ ...ROW, ...change }]));
    expect(rows.map((row) => row.naturalKey)).toEqual([naturalKey]);
  });

  it.each([
    ['amc', 'time-after-hours'],
    ['dmh', 'time-during-market'],
    ['', 'time-not-supplied'],
    [null, 'time-not-supplied'],
  ])('reads the hour %j as the session %s', (hour, time) => {
    expect(read({ hour })).toMatchObject({ time });
  });

  it.each([
    ['in the past next to revenue', { epsActual: 0 }, { eps: '0', revenue: '4210000000' }],
    [
      'in the past next to a loss',
      { epsActual: -0.4, revenueActual: 0 },
      { eps: '-0.4', revenue: '0' },
    ],
    ['past, both', { epsActual: 0, revenueActual: 0 }, { eps: null, revenue: null }],
    [
      'in the past, the only one present',
      { epsActual: 0, revenueActual: null },
      { eps: '0', revenue: null },
    ],
    ['dated tomorrow', { date: '2026-11-20', epsActual: 0 }, { eps: null }],
    ['dated today with an hour', { date: '2026-11-19', epsActual: 0 }, { eps: '0' }],
    ['dated today without an hour', { date: '2026-11-19', hour: '', epsActual: 0 }, { eps: null }],
  ])(
    'reads the figures of a row with a zero result %s: %j becomes %j',
    (_when, change, expected) => {
      expect(read(change)).toMatchObject(expected);
    },
  );

  it('keeps a zero result next to another figure if the observation time is unknown', () => {
    expect(read({ epsActual: 0 }, 'unknown')).toMatchObject({ eps: '0' });
  });

  it.each([
    [{ epsEstimate: 0 }, { epsEstimate: '0', revenueEstimate: '4188350120' }],
    [
      { epsEstimate: 0, revenueEstimate: 0 },
      { epsEstimate: null, revenueEstimate: null },
    ],
    [
      { epsEstimate: null, revenueEstimate: null },
      { epsEstimate: null, revenueEstimate: null },
    ],
  ])('reads the estimates %j as %j', (change, expected) => {
    expect(read(change)).toMatchObject(expected);
  });

  it.each([
    [{ revenueActual: -999_000_000 }, { revenue: null, eps: '1.2' }],
    [
      { epsActual: -99.99, epsEstimate: -999 },
      { eps: null, epsEstimate: null },
    ],
    [{ revenueEstimate: -999_000_000 }, { revenueEstimate: null }],
    [{ revenueActual: -998_000_000 }, { revenue: '-998000000' }],
    [{ epsActual: -9.99 }, { eps: '-9.99' }],
  ])('treats sentinel figures as missing: %j becomes %j', (change, expected) => {
    expect(read(change)).toMatchObject(expected);
  });

  it('omits absent figures from a calendar row', () => {
    const { epsActual, revenueEstimate, ...rest } = ROW;
    const [row] = calendarEarnings.parse(responseOf([rest])).rows;
    expect([epsActual, revenueEstimate]).not.toContain(undefined);
    expect(Object.keys(row?.fields ?? {})).not.toContain('eps');
    expect(Object.keys(row?.fields ?? {})).not.toContain('revenueEstimate');
  });

  it.each([
    [{ symbol: '' }, 'bad-symbol'],
    [{ date: '' }, 'missing-field'],
    [{ date: '11/18/2026' }, 'bad-date'],
    [{ hour: 'noon' }, 'bad-marker'],
    [{ quarter: 5 }, 'bad-period'],
    [{ year: 20.27 }, 'bad-period'],
    [{ epsActual: '1.2' }, 'bad-number'],
    [{ revenueActual: -9_000_000_000 }, 'absurd-revenue'],
  ])('rejects a calendar row with %j as %s', (change, reason) => {
    const { rows, bad } = calendarEarnings.parse(responseOf([{ ...ROW, ...change }]));
    expect([rows, bad.map((row) => row.reason)]).toEqual([[], [reason]]);
  });
});

describe('the Finnhub request plan', () => {
  const context: PlanContext = {
    now: 0,
    today: localDate('2026-11-20'),
    symbols: [],
    ciks: new Map(),
    setting: () => 'a-key-of-sorts',
  };

  it('requests one day at a time, starting with today and the preceding days, and sends the key only in a header', () => {
    const requests = calendarEarnings.plan?.(context) ?? [];
    const days = requests.map(({ url }) => new URL(url).searchParams.get('from'));
    expect(days.slice(0, 7)).toEqual([
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      '2026-11-16',
      '2026-11-15',
      '2026-11-21',
    ]);
    expect(days.at(-1)).toBe('2026-12-21');
    expect(requests.filter(({ url }) => url.includes('a-key-of-sorts'))).toEqual([]);
    expect(requests.every(({ headers }) => headers['x-finnhub-token'] === 'a-key-of-sorts')).toBe(
      true,
    );
  });

  it('plans no requests without a usable key', () => {
    expect(calendarEarnings.plan?.({ ...context, setting: () => undefined })).toEqual([]);
    expect(calendarEarnings.plan?.({ ...context, setting: () => 'two\nlines' })).toEqual([]);
  });
});
