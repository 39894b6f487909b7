import { describe, expect, it } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { ParseResult } from '../provider.ts';
import { chart } from './chart.ts';
import { apiResponse, timestamp } from '../../../test/support/providers/yahoo-responses.ts';

const DAY = { open: 10, high: 12, low: 9, close: 11, volume: 1000 };
const WITH_SPLITS = 'v8/finance/chart/MERD?interval=1d&events=div%2Csplit';

interface ChartOptions {
  path?: string;
  days?: readonly (readonly [at: number, bar: Record<string, number | null>])[];
  meta?: object;
  dividends?: object;
  capitalGains?: object;
  splits?: object;
}

function parseChart({
  path = WITH_SPLITS,
  days = [],
  meta = {},
  ...events
}: ChartOptions): ParseResult {
  const column = (name: string) => days.map(([, bar]) => bar[name] ?? null);
  const names = ['open', 'high', 'low', 'close', 'volume'];
  const result = {
    meta: {
      currency: 'USD',
      symbol: 'MERD',
      instrumentType: 'EQUITY',
      gmtoffset: -18e3,
      exchangeTimezoneName: 'America/New_York',
      dataGranularity: '1d',
      regularMarketTime: timestamp('2026-11-20', 16 * 60),
      ...meta,
    },
    timestamp: days.map(([at]) => at),
    events,
    indicators: { quote: [Object.fromEntries(names.map((name) => [name, column(name)]))] },
  };
  return chart.parse(apiResponse(path, { chart: { result: [result], error: null } }));
}

const TODAY = [timestamp('2026-11-20'), DAY] as const;

describe('Yahoo chart bars', () => {
  it("assigns a bar its New York date, using that day's offset from UTC rather than today's", () => {
    const midnightInSummer = Date.UTC(2026, 6, 1, 4) / 1000;
    const { bars } = parseChart({ days: [[midnightInSummer, DAY], TODAY] });
    expect(bars?.rows.map(({ date }) => date)).toEqual(['2026-07-01', '2026-11-20']);
    expect(bars).toMatchObject({ list: null, isAdjusted: true });
  });

  it('skips a session without figures, and rejects a bar without a close', () => {
    const empty = { open: null, high: null, low: null, close: null, volume: null };
    const { bars, bad } = parseChart({
      days: [
        [timestamp('2026-11-17'), { ...empty, volume: 0 }],
        [timestamp('2026-11-18'), empty],
        [timestamp('2026-11-19'), { ...DAY, close: null }],
        TODAY,
      ],
    });
    expect(bars?.rows.map(({ date }) => date)).toEqual(['2026-11-20']);
    expect(bad.map(({ reason }) => reason)).toEqual(['missing-field']);
  });

  it('distinguishes an unknown volume from zero', () => {
    const { bars } = parseChart({ days: [[timestamp('2026-11-20'), { ...DAY, volume: null }]] });
    expect(bars?.rows).toMatchObject([{ close: '11', volume: null }]);
  });
});

it.each([{ dataGranularity: { toString: 1 } }, { instrumentType: { toString: 1 } }])(
  'rejects a chart with the metadata %j and gives a reason',
  (meta) => {
    const reasons = { dataGranularity: 'not-daily-bars', instrumentType: 'not-a-share' };
    const reason = reasons['dataGranularity' in meta ? 'dataGranularity' : 'instrumentType'];
    expect(() => parseChart({ meta })).toThrow(expect.objectContaining({ reason }));
  },
);

const TEN_FOR_ONE = { date: timestamp('2026-06-29'), numerator: 10, denominator: 1 };

describe('Yahoo chart splits', () => {
  it('dates a split by the first session after it', () => {
    const { rows } = parseChart({ days: [TODAY], splits: { a: TEN_FOR_ONE } });
    expect(rows).toEqual([
      {
        dataset: 'splits',
        entityKey: 'MERD',
        naturalKey: '2026-06-29',
        fields: { symbol: 'MERD', date: '2026-06-29', numerator: 10, denominator: 1 },
      },
    ]);
  });

  it.each([
    [{ ...TEN_FOR_ONE, numerator: 1281, denominator: 1000 }, 'not-a-split'],
    [{ ...TEN_FOR_ONE, numerator: 1.5 }, 'bad-number'],
    [{ ...TEN_FOR_ONE, denominator: 0 }, 'bad-number'],
    [{ ...TEN_FOR_ONE, date: null }, 'missing-field'],
  ])('rejects a split with %j as %s', (split, reason) => {
    const { rows, bad } = parseChart({ days: [TODAY], splits: { a: split } });
    expect([rows, bad.map((row) => row.reason)]).toEqual([[], [reason]]);
  });
});

describe('Yahoo chart dividends', () => {
  const preSplit = { amount: 0.021, date: timestamp('2026-05-08') };
  const postSplit = { amount: 0.21, date: timestamp('2026-11-18') };

  it('returns dividend amounts as declared by undoing later splits, to the decimals that remain exact', () => {
    const { rows } = parseChart({
      days: [TODAY],
      dividends: {
        a: preSplit,
        b: postSplit,
        c: { amount: 0.094643, date: timestamp('2026-01-09') },
      },
      splits: { a: { ...TEN_FOR_ONE, numerator: 28 } },
    });
    const amounts = rows
      .filter(({ dataset }) => dataset === 'dividends')
      .map(({ naturalKey, fields }) => [naturalKey, Reflect.get(fields, 'amount') as unknown]);
    expect(amounts).toEqual([
      ['ex:2026-05-08', '0.588'],
      ['ex:2026-11-18', '0.21'],
      ['ex:2026-01-09', '2.65'],
    ]);
  });

  it("uses the currency of the chart for dividends, and treats a fund's capital gains as special", () => {
    const { rows, bad } = parseChart({
      days: [TODAY],
      dividends: { a: { ...postSplit, currency: 'EUR' }, b: { ...preSplit, currency: 'pence' } },
      capitalGains: { a: { amount: 0.5, date: postSplit.date } },
    });
    expect(rows.map(({ naturalKey, fields }) => [naturalKey, fields])).toMatchObject([
      ['ex:2026-11-18', { amount: '0.21', currency: 'EUR' }],
      ['ex:2026-11-18#2', { amount: '0.5', currency: 'USD', type: 'special' }],
    ]);
    expect(bad.map(({ reason }) => reason)).toEqual(['bad-currency']);
  });

  it('returns a dividend after a spin-off as declared, and rejects a dividend before it', () => {
    const spinOff = { ...TEN_FOR_ONE, numerator: 1281, denominator: 1000 };
    const { rows, bad } = parseChart({
      days: [TODAY],
      dividends: { a: preSplit, b: postSplit, c: { amount: 0.2, date: spinOff.date } },
      splits: { a: spinOff },
    });
    expect(rows.map(({ naturalKey }) => naturalKey)).toEqual(['ex:2026-11-18', 'ex:2026-06-29']);
    expect(bad.map(({ reason }) => reason)).toEqual(['not-a-split', 'unknown-share-basis']);
  });

  it.each([
    ['that ends in the past', { days: [[timestamp('2026-07-01'), DAY] as const] }],
    ['requested without splits', { path: 'v8/finance/chart/MERD?events=div', days: [TODAY] }],
    [
      'with a spin-off',
      { days: [TODAY], splits: { a: { ...TEN_FOR_ONE, numerator: 1281, denominator: 1000 } } },
    ],
    ['with an undated split', { days: [TODAY], splits: { a: { ...TEN_FOR_ONE, date: 'x' } } }],
  ])('rejects a dividend in a chart %s, since the declared amount is unknown', (_what, options) => {
    const { rows, bad } = parseChart({ ...options, dividends: { a: preSplit } });
    expect(rows.filter(({ dataset }) => dataset === 'dividends')).toEqual([]);
    expect(bad.map(({ reason }) => reason)).toContain('unknown-share-basis');
  });
});

it("requests splits with every chart, only for shares, using the source's symbols", () => {
  const symbols = ['HARB.B', 'MERD', 'QUAY.WS', 'TIDE.PR.A'];
  const requests = chart.plan?.({
    now: 0,
    today: localDate('2026-11-20'),
    symbols,
    ciks: new Map(),
    setting: () => undefined,
  });
  expect(requests?.map(({ url }) => url)).toEqual(
    ['HARB-B', 'MERD'].map(
      (symbol) =>
        `https://query2.finance.yahoo.com/v8/finance/chart/${symbol}?interval=1d` +
        '&period1=1760587200&period2=1795237200&events=div%2Csplit',
    ),
  );
});
