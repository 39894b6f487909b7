import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import {
  eventOf,
  securityOf,
  SEEN_AT,
  storeRows,
  valuesOf,
} from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { forward } from '../storage/forward.ts';
import { endpoint } from './earnings.ts';
import type { EndpointResponse } from './endpoint.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  const past = { dateStatus: 'reported', eps: '-0.25', epsEstimate: '-0.4' } as const;
  const days = ['2027-02-18', '2027-05-18', '2027-08-18', '2027-11-18', '2028-02-18'];
  await storeRows(db, {
    securities: [
      securityOf('SOME'),
      securityOf('BARE'),
      securityOf('NEWN', {
        symbols: [
          { symbol: 'OLDN', from: null, to: localDate('2025-05-31') },
          { symbol: 'NEWN', from: localDate('2025-06-01'), to: null },
        ],
      }),
      securityOf('SOMA'),
    ],
    events: [
      eventOf('SOME', { ...past, date: localDate('2026-08-19'), estimateAsOf: SEEN_AT }),
      ...days.map((date) => eventOf('SOME', { date: localDate(date) })),
      eventOf('SOME', {
        date: localDate('2026-05-19'),
        dateStatus: 'reported',
        eps: '1.2',
        epsEstimate: '1.2003',
        revenue: '801500000',
        revenueEstimate: '790000000',
      }),
    ],
  });
});

afterAll(() => db.close());

test("lists a company's reports newest first, with at most four upcoming ones", async () => {
  const rows = await rowsOf('SOME');
  expect(check.Check(rows)).toBe(true);
  expect(rows.map((row) => row.date)).toEqual([
    '2027-11-18',
    '2027-08-18',
    '2027-05-18',
    '2027-02-18',
    '2026-08-19',
    '2026-05-19',
  ]);
});

test('treats a smaller loss than expected as a beat, and reports it as a percentage of the absolute estimate', async () => {
  const row = (await rowsOf('SOME')).find(({ date }) => date === '2026-08-19');
  expect(row).toMatchObject({
    epsSurprise: 0.15,
    epsSurprisePercent: 37.5,
    epsOutcome: 'beat',
    revenueSurprise: null,
    revenueOutcome: null,
    estimateAsOf: '2026-11-01T12:00:00Z',
    splitFactor: 1,
  });
});

test('compares results and estimates at the reported precision', async () => {
  const row = (await rowsOf('SOME')).find(({ date }) => date === '2026-05-19');
  expect(row).toMatchObject({
    epsOutcome: 'meet',
    revenueSurprise: 11_500_000,
    revenueSurprisePercent: 1.4557,
    revenueOutcome: 'beat',
  });
});

test('returns an empty list for a company that has no reports', async () => {
  expect(await rowsOf('BARE')).toEqual([]);
});

test('suggests similar symbols for an unknown symbol', async () => {
  expect(await answerOf('SOMB')).toEqual({
    kind: 'unknown-symbol',
    symbol: 'SOMB',
    suggestions: ['SOMA', 'SOME'],
    successorSymbol: null,
  });
});

test('returns the successor if reports for a former symbol are requested', async () => {
  expect(await answerOf('OLDN')).toMatchObject({ kind: 'unknown-symbol', successorSymbol: 'NEWN' });
});

test('returns the last holder of a reused symbol, and the successor of that holder if there is one', async () => {
  const span = (symbol: string, from: string | null, to: string | null) => ({
    symbol,
    from: from === null ? null : localDate(from),
    to: to === null ? null : localDate(to),
  });
  const securities = [
    securityOf('AAAX', {
      symbols: [span('OLDS', null, '2010-06-30'), span('AAAX', '2010-07-01', null)],
    }),
    securityOf('BBBX', {
      symbols: [span('OLDS', '2015-01-02', '2025-06-30'), span('BBBX', '2025-07-01', null)],
    }),
    securityOf('CCCX', {
      symbols: [span('DEAD', null, '2010-06-30'), span('CCCX', '2010-07-01', null)],
    }),
    securityOf('DEAD', { active: false, symbols: [span('DEAD', '2015-01-02', '2026-05-29')] }),
  ];
  await storeRows(db, { securities, events: [eventOf('DEAD', { date: localDate('2026-03-02') })] });
  expect(await answerOf('OLDS')).toMatchObject({ kind: 'unknown-symbol', successorSymbol: 'BBBX' });
  expect(await rowsOf('DEAD')).toMatchObject([{ symbol: 'DEAD', date: '2026-03-02' }]);
});

test("hides reports from before the plan's history, and reports that it did so", async () => {
  const at = { db, now: NOW, historyFrom: localDate('2026-08-01') };
  const limited = await endpoint.handle(valuesOf({ symbol: 'SOME' }), at);
  expect(limited).toMatchObject({ historyLimited: true });
  if (limited.kind !== 'body') throw new Error('no body');
  expect((limited.body as { date: string }[]).at(-1)?.date).toBe('2026-08-19');
  const unlimited = await endpoint.handle(valuesOf({ symbol: 'SOME' }), {
    ...at,
    historyFrom: null,
  });
  expect(unlimited).toMatchObject({ historyLimited: false });
});

test('resolves a symbol as of a past instant, without suggestions', async () => {
  const ask = (symbol: string, asOf: number): Promise<EndpointResponse> =>
    endpoint.handle(parameterValues({ symbol, asOf }), { db, now: NOW });
  expect(await ask('SOME', SEEN_AT)).toMatchObject({ kind: 'body' });
  expect(await ask('SOME', SEEN_AT - 1)).toEqual({ kind: 'not-known-yet', firstAt: SEEN_AT });
  expect(await ask('SOMX', SEEN_AT)).toEqual({
    kind: 'unknown-symbol',
    symbol: 'SOMX',
    suggestions: [],
    successorSymbol: null,
  });
  expect(await ask('OLDN', SEEN_AT)).toMatchObject({ successorSymbol: 'NEWN' });
});

test('returns the reports of several companies, and names the symbols that no security has', async () => {
  await storeRows(db, { events: [eventOf('SOMA', { date: localDate('2026-12-01') })] });
  const symbols = ['BARE', 'NONE', 'OLDN', 'SOMA', 'SOME'];
  const response = await endpoint.handle(parameterValues({ symbols }), { db, now: NOW });
  if (response.kind !== 'body') throw new Error(response.kind);
  expect(response.body).toEqual([...(await rowsOf('SOMA')), ...(await rowsOf('SOME'))]);
  expect(response.unknownSymbols).toEqual([
    { symbol: 'NONE', successorSymbol: null },
    { symbol: 'OLDN', successorSymbol: 'NEWN' },
  ]);
  const topics = endpoint.topics(parameterValues({ symbols }), NOW);
  expect(topics).toEqual(expect.arrayContaining(['earnings:symbol:SOMA', 'earnings:symbol:SOME']));
});

test.each(['store', 'public'])(
  'reads five companies at a past instant of the %s with as many statements as two',
  async (known) => {
    const countFor = async (symbols: readonly string[]) => {
      let count = 0;
      const query: Db['query'] = (...args) => {
        count += 1;
        return db.query(...args);
      };
      const values = parameterValues({ symbols, asOf: SEEN_AT, known });
      const response = await endpoint.handle(values, { db: forward(db, { query }), now: NOW });
      if (response.kind !== 'body') throw new Error(response.kind);
      const { unknownSymbols } = response;
      return { count, unknownSymbols };
    };
    const { count } = await countFor(['NEWN', 'SOMA']);
    const several = await countFor(['BARE', 'NEWN', 'NONE', 'SOMA', 'SOME']);
    expect(several).toEqual({
      count,
      unknownSymbols: [{ symbol: 'NONE', successorSymbol: null }],
    });
  },
);

test('requires either a symbol or several symbols', () => {
  const faultOf = (parameters: Parameters<typeof parameterValues>[0]) =>
    endpoint.check?.(parameterValues(parameters), NOW)?.code ?? null;
  expect(faultOf({})).toBe('missing-parameter');
  expect(faultOf({ symbol: 'SOME' })).toBeNull();
  expect(faultOf({ symbols: ['SOME'] })).toBeNull();
  expect(faultOf({ symbol: 'SOME', symbols: ['SOMA'] })).toBe('invalid-parameter');
});

test("expires a company's reports when the date changes in New York", () => {
  const midnight = Date.parse('2026-11-21T05:00:00Z');
  expect(endpoint.validUntil?.(valuesOf({ symbol: 'SOME' }), NOW)).toBe(midnight);
});

test('has a company reports example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

function answerOf(symbol: string): Promise<EndpointResponse> {
  return endpoint.handle(valuesOf({ symbol }), { db, now: NOW });
}

async function rowsOf(symbol: string): Promise<Record<string, unknown>[]> {
  const response = await answerOf(symbol);
  if (response.kind !== 'body') throw new Error('no body');
  return response.body as Record<string, unknown>[];
}
